"""`agentl test`: plays the SCENARIOs of programs, with no host, no network and no clock."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from agentl.messages import scenarios as messages
from agentl.messages import watching as watch_messages


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATHS", help=messages.PATHS.text())],
    format: Annotated[Format, typer.Option("--format", help=messages.OPTION_FORMAT.text())] = Format.TEXT,
    trace: Annotated[bool, typer.Option("--trace", help=messages.OPTION_TRACE.text())] = False,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help=messages.OPTION_ALLOW_EMPTY.text())] = False,
    coverage: Annotated[bool, typer.Option("--coverage", help=messages.OPTION_COVERAGE.text())] = False,
    minimum: Annotated[
        int | None, typer.Option("--min", metavar="PERCENT", min=0, max=100, help=messages.OPTION_MINIMUM.text())
    ] = None,
    output_file: Annotated[
        str | None, typer.Option("--output-file", metavar="FILE", help=messages.OPTION_OUTPUT.text())
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help=watch_messages.WATCH_TESTS.text())] = False,
) -> int:
    """Test files and folders; every one is reported. Exit codes: scenario.md §9 in a file, decision 31 over all."""
    from agentl.cli.testing import Shown, test_paths

    shown = Shown(format.value, trace=trace, coverage=coverage or minimum is not None)
    return test_paths(paths, shown, allow_empty=allow_empty, minimum=minimum, output_file=output_file, watch=watch)
