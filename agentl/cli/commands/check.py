"""`agentl check`: what is wrong in programs, found without running them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentl.linting.formats import format_names
from agentl.messages import command as messages

if TYPE_CHECKING:
    Format = str
else:
    Format = Literal[format_names()]


class Profile(StrEnum):
    """Which rules are asked: those of AGENT-L 1.10 alone, with ours, or more warnings too."""

    COMPAT = "compat"
    REFERENCE = "reference"
    STRICT = "strict"


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATHS", help=messages.CHECK_PATHS.text())],
    format: Annotated[Format, typer.Option("--format", help=messages.CHECK_FORMAT.text())] = "text",
    profile: Annotated[Profile, typer.Option("--profile", help=messages.CHECK_PROFILE.text())] = Profile.REFERENCE,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help=messages.STDIN_FILENAME.text())
    ] = "<stdin>",
    output_file: Annotated[
        str | None, typer.Option("--output-file", metavar="FILE", help=messages.CHECK_OUTPUT_FILE.text())
    ] = None,
    statistics: Annotated[bool, typer.Option("--statistics", help=messages.CHECK_STATISTICS.text())] = False,
    category: Annotated[str, typer.Option("--category", metavar="NAME", help=messages.CHECK_CATEGORY.text())] = "",
) -> int:
    """Check files and folders; every one is reported. Returns the worst code of all (decision 31)."""
    from agentl.cli.checking import Wanted, check_paths

    return check_paths(paths, Wanted(format, profile.value, stdin_filename, output_file, statistics, category))
