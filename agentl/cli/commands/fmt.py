"""`agentl fmt`: programs in their one canonical layout."""

from __future__ import annotations

from typing import Annotated

import typer

from agentl.cli.formats import Format
from agentl.messages import command as command_messages
from agentl.messages import formatting as messages


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATHS", help=messages.FMT_PATHS.text())],
    check: Annotated[bool, typer.Option("--check", help=messages.FMT_CHECK.text())] = False,
    diff: Annotated[bool, typer.Option("--diff", help=messages.FMT_DIFF.text())] = False,
    lines: Annotated[str | None, typer.Option("--lines", metavar="A-B", help=messages.FMT_LINES.text())] = None,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help=command_messages.STDIN_FILENAME.text())
    ] = "<stdin>",
    format: Annotated[Format, typer.Option("--format", help=command_messages.OPTION_FORMAT.text())] = Format.TEXT,
) -> int:
    """Format files and folders; every one is reported. Returns the worst code of all (decision 31)."""
    from agentl.cli.formatting import Wanted, format_paths, read_lines

    wanted = Wanted(
        writes=not (check or diff),
        shows_diff=diff,
        lines=None if lines is None else read_lines(lines),
        stdin_name=stdin_filename,
    )
    return format_paths(paths, wanted, format.value)
