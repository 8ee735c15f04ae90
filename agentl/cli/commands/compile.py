"""`agentl compile`: a program's canonical JSON form, or its digest."""

from __future__ import annotations

from typing import Annotated

import typer

from agentl.cli import console
from agentl.cli.files import write_whole
from agentl.cli.programs import compiled_program
from agentl.messages import command as messages


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=messages.COMPILE_FILE.text())],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help=messages.COMPILE_OUTPUT.text())
    ] = None,
    digest: Annotated[bool, typer.Option("--digest", help=messages.COMPILE_DIGEST.text())] = False,
) -> int:
    """Write canonical JSON (decision 15) or, with `digest`, the program digest (decision 17). Returns 0."""
    from agentl.ir.digest import canonical_text, program_digest

    program = compiled_program(file)
    text = (program_digest if digest else canonical_text)(program)
    if output is None:
        console.result(text)
    else:
        write_whole(output, text + "\n", file)
    return 0
