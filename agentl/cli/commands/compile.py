"""`agentl compile`: a program's canonical JSON form, an outline for people, or its digest."""

from __future__ import annotations

from typing import Annotated

import typer

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.cli.files import write_whole
from agentl.cli.formats import Format
from agentl.cli.programs import compiled_program
from agentl.messages import command as messages


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=messages.COMPILE_FILE.text())],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help=messages.COMPILE_OUTPUT.text())
    ] = None,
    digest: Annotated[bool, typer.Option("--digest", help=messages.COMPILE_DIGEST.text())] = False,
    format: Annotated[Format, typer.Option("--format", help=messages.COMPILE_FORMAT.text())] = Format.JSON,
) -> int:
    """Write canonical JSON (decision 15), an outline, or with `digest` the program digest (decision 17). Returns 0."""
    from agentl.ir.digest import canonical_text, program_digest

    if digest and format is Format.TEXT:
        raise CommandError.of(messages.OPTIONS_EXCLUDE, first="--digest", second="--format text")
    program = compiled_program(file)
    if format is Format.TEXT:
        from agentl.logic.outline import outline

        text = outline(program)
    else:
        text = (program_digest if digest else canonical_text)(program)
    if output is None:
        console.result(text)
    else:
        write_whole(output, text + "\n", file)
    return 0
