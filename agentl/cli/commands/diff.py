"""`agentl diff`: what differs between two programs, by declaration and statement."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from agentl.cli import console
from agentl.cli.exits import Exit
from agentl.messages import comparing as messages


class DiffFormat(StrEnum):
    """For people, for programs, or for a pull request."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def command(
    old: Annotated[str, typer.Argument(metavar="OLD", help=messages.DIFF_OLD.text())],
    new: Annotated[str, typer.Argument(metavar="NEW", help=messages.DIFF_NEW.text())],
    format: Annotated[DiffFormat, typer.Option("--format", help=messages.DIFF_FORMAT.text())] = DiffFormat.TEXT,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help=messages.DIFF_STDIN_NAME.text())
    ] = "<stdin>",
) -> int:
    """Compare two programs, or the programs of two folders. Returns 0 for none, 1 for any difference (decision 31)."""
    from agentl.cli.comparing import compare
    from agentl.cli.diff_reports import RENDERERS

    pairs = compare(old, new, stdin_filename)
    code = Exit.PROGRAM if any(pair.differs for pair in pairs) else Exit.DONE
    console.result(RENDERERS[format.value](pairs, int(code)))
    return code
