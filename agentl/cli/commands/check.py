"""`agentl check`: what is wrong in programs, found without running them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from agentl.cli.formats import Format
from agentl.messages import command as messages


class Profile(StrEnum):
    """Which rules are asked: those of AGENT-L 1.10 alone, with ours, or more warnings too."""

    COMPAT = "compat"
    REFERENCE = "reference"
    STRICT = "strict"


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATHS", help=messages.CHECK_PATHS.text())],
    format: Annotated[Format, typer.Option("--format", help=messages.OPTION_FORMAT.text())] = Format.TEXT,
    profile: Annotated[Profile, typer.Option("--profile", help=messages.CHECK_PROFILE.text())] = Profile.REFERENCE,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help=messages.STDIN_FILENAME.text())
    ] = "<stdin>",
) -> int:
    """Check files and folders; every one is reported. Returns the worst code of all (decision 31)."""
    from agentl.cli.checking import Wanted, check_paths

    return check_paths(paths, Wanted(format.value, profile.value, stdin_filename))
