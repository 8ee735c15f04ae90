"""Pairs up programs and compares each pair, for `agentl diff`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agentl.analysis.files import find_programs
from agentl.cli.exits import CommandError
from agentl.cli.programs import STANDARD_INPUT, problems_of, read_bytes
from agentl.diagnostics import Diagnostic
from agentl.ir.diff import Change, diff
from agentl.ir.digest import program_digest
from agentl.ir.node import Node
from agentl.ir.program import Program
from agentl.messages import command as command_messages
from agentl.messages import comparing as messages
from agentl.syntax.parser import Parsed, decode_source, parse, program_of


@dataclass(frozen=True, slots=True)
class Side:
    """A program as it was read, under the name it is told by."""

    name: str
    parsed: Parsed
    program: Program
    digest: str

    def place(self, node: Node) -> tuple[str, int | None]:
        """Return the file a node stands in, and its line; no line for a node that is written nowhere."""
        spans = self.parsed.spans
        if node not in spans:
            return self.name, None
        source = spans.source(node)
        return source.name, source.position(spans.anchor(node).start).line


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair of programs; one side is None when the program is only on the other. `name` is what it is called."""

    name: str
    old: Side | None
    new: Side | None
    changes: tuple[Change, ...]

    @property
    def differs(self) -> bool:
        return bool(self.changes) or self.old is None or self.new is None


def compare(old: str, new: str, stdin_name: str) -> list[Compared]:
    """Compare two programs, or the programs of two folders by their path in it.

    CommandError for paths that cannot be compared, ParseError for a text that is no program.
    """
    return [_compared(*pair, stdin_name) for pair in _pairs(old, new)]


def _pairs(old: str, new: str) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield (name, old path, new path): the two files, or the programs of two folders by their path in it."""
    if old == new == STANDARD_INPUT:
        raise CommandError.of(command_messages.OPTIONS_EXCLUDE, first="OLD -", second="NEW -")
    folders = [path != STANDARD_INPUT and Path(path).is_dir() for path in (old, new)]
    if not any(folders):
        yield new, old, new
        return
    if not all(folders):
        raise CommandError.of(messages.FILE_AND_FOLDER, old=old, new=new)
    olds, news = _below(old), _below(new)
    if not olds and not news:
        raise CommandError.of(messages.NOTHING_TO_COMPARE, old=old, new=new)
    for name in sorted({*olds, *news}):
        yield name, olds.get(name), news.get(name)


def _below(folder: str) -> dict[str, str]:
    """Return the programs below a folder by their path in it. CommandError when a part of it cannot be read."""
    programs = find_programs([folder])
    for problem in problems_of(programs, messages.NOTHING_TO_COMPARE):
        if problem.definition is not messages.NOTHING_TO_COMPARE:
            raise CommandError(problem)
    return {Path(os.path.relpath(path, folder)).as_posix(): path for path in programs.paths}


def _compared(name: str, old: str | None, new: str | None, stdin_name: str) -> Compared:
    before, after = _side(old, stdin_name), _side(new, stdin_name)
    changes = diff(before.program, after.program) if before is not None and after is not None else ()
    return Compared(stdin_name if name == STANDARD_INPUT else name, before, after, changes)


def _side(path: str | None, stdin_name: str) -> Side | None:
    if path is None:
        return None
    data = read_bytes(path)
    if isinstance(data, Diagnostic):
        raise CommandError(data)
    name = stdin_name if path == STANDARD_INPUT else path
    parsed = parse(decode_source(data, name))
    program = program_of(parsed)
    return Side(name, parsed, program, program_digest(program))
