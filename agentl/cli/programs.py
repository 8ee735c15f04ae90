"""Programs as commands get them: a path or `-`, read and parsed, with every finding shown."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.diagnostics import Diagnostic, Source
from agentl.diagnostics.refusals import reason
from agentl.messages import Message
from agentl.messages import command as messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentl.analysis.files import Programs
    from agentl.ir.program import Program
    from agentl.syntax.parser import Parsed

STANDARD_INPUT = "-"


def read_program(path: str) -> Source:
    """Return the text of a program; `-` is standard input.

    Raises CommandError when it cannot be read, ParseError when it is not UTF-8 (syntax.md §1.1).
    """
    from agentl.syntax.parser import decode_source, read_source

    try:
        if path == STANDARD_INPUT:
            return decode_source(read_standard_input(), "<stdin>")
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


def read_bytes(path: str) -> bytes | Diagnostic:
    """Return what a file, or for `-` standard input, holds; a finding when it cannot be read."""
    try:
        return read_standard_input() if path == STANDARD_INPUT else Path(path).read_bytes()
    except OSError as error:
        return about(path, messages.CANNOT_READ, reason=reason(error))


def read_standard_input() -> bytes:
    """Return all of standard input. OSError, also when whoever started us closed it."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer.read()


def problems_of(programs: Programs, nothing: Message) -> Iterator[Diagnostic]:
    """Yield a finding for each path that could not be read, or (`nothing`) below which there is no program."""
    for path, error in programs.unreadable:
        yield about(path, messages.CANNOT_READ, reason=reason(error))
    for path in programs.empty:
        yield about(path, nothing)


def about(path: str, message: Message, **arguments: object) -> Diagnostic:
    """Return a finding about a file as a whole."""
    return Diagnostic(message, {"path": path, **arguments}, source=Source("", path))
