"""`agentl test`: plays the SCENARIOs of programs, with no host, no network and no clock."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from agentl.messages import scenarios as messages


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
    output_file: Annotated[
        str | None, typer.Option("--output-file", metavar="FILE", help=messages.OPTION_OUTPUT.text())
    ] = None,
) -> int:
    """Test files and folders; every one is reported. Exit codes: scenario.md §9 in a file, decision 31 over all."""
    from agentl.cli.testing import test_paths

    return test_paths(paths, format.value, trace=trace, allow_empty=allow_empty, output_file=output_file)
