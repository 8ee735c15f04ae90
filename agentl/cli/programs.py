"""Programs as commands get them: a path or `-`, read and parsed, with every finding shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.cli.files import reason
from agentl.diagnostics import Source
from agentl.messages import command as messages

if TYPE_CHECKING:
    from agentl.ir.program import Program
    from agentl.syntax.parser import Parsed

STANDARD_INPUT = "-"


def read_program(path: str) -> Source:
    """Return the text of a program; `-` is standard input.

    Raises CommandError when it cannot be read, ParseError when it is not UTF-8 (syntax.md §1.1).
    """
    from agentl.syntax.parser import decode_source, read_source

    if path == STANDARD_INPUT:
        return decode_source(sys.stdin.buffer.read(), "<stdin>")
    try:
        return read_source(path)
    except OSError as error:
        raise CommandError.of(messages.CANNOT_READ, path=path, reason=reason(error)) from error


def parse_program(path: str) -> Parsed:
    """Read and parse a program; never raises for what its text holds."""
    from agentl.syntax.parser import parse

    return parse(read_program(path))


def compiled_program(path: str) -> Program:
    """Read and parse a program and show its warnings. Raises ParseError with every error of its text."""
    from agentl.diagnostics import ParseError

    parsed = parse_program(path)
    if parsed.program is None:
        raise ParseError(*parsed.diagnostics)
    if parsed.diagnostics:
        console.show(parsed.diagnostics)
    return parsed.program
