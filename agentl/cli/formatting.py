"""What `agentl fmt` does: finds programs, lays each out, writes or compares it, tells what came of it."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agentl.analysis.files import find_programs
from agentl.cli import console
from agentl.cli.differences import difference, lines_of
from agentl.cli.exits import CommandError, Exit, exit_code_of, worst
from agentl.cli.files import is_kept_by_run, write_whole
from agentl.cli.programs import STANDARD_INPUT, about, problems_of, read_bytes
from agentl.diagnostics import AgentLError, Diagnostic, FileFacts, Severity, Source, fingerprinted
from agentl.messages import Message
from agentl.messages import command as command_messages
from agentl.messages import formatting as messages
from agentl.syntax.formatter.formatting import format_bytes

State = Literal["changed", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for. `lines` are the first and the last one of a single program; None: all of every one."""

    writes: bool
    shows_diff: bool
    lines: tuple[int, int] | None
    stdin_name: str


@dataclass(frozen=True, slots=True)
class LaidOut:
    """What came of one program; `code` is what it alone would end the command with."""

    path: str
    state: State
    old: bytes
    new: bytes
    findings: tuple[Diagnostic, ...] = ()
    code: int = Exit.DONE


def read_lines(text: str) -> tuple[int, int]:
    """Read `10-20`, or `10` for one line. CommandError."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text.strip())
    if match is not None:
        first, last = int(match[1]), int(match[2] or match[1])
        if 1 <= first <= last:
            return first, last
    raise CommandError.of(messages.BAD_LINES, value=text)


def format_paths(paths: Sequence[str], wanted: Wanted, format: Literal["text", "json"]) -> int:
    """Format everything below `paths` and return the exit code, which no form of the report changes."""
    writes_text = wanted.writes and STANDARD_INPUT in paths
    if format == "json" and (wanted.shows_diff or writes_text):
        other = "--diff" if wanted.shows_diff else STANDARD_INPUT
        raise CommandError.of(command_messages.OPTIONS_EXCLUDE, first="--format json", second=other)
    programs = find_programs(paths)
    kept = {path for path in programs.paths if path not in paths and is_kept_by_run(path)}
    chosen = [path for path in programs.paths if path not in kept]
    if wanted.lines is not None and len(chosen) != 1:
        raise CommandError.of(messages.LINES_OF_ONE_FILE, count=len(chosen))
    problems = list(problems_of(programs, messages.NOTHING_TO_FORMAT))
    if not chosen and not problems:
        problems.append(about(paths[0], messages.NOTHING_TO_FORMAT))
    done = []
    for path in chosen:
        result = _format(path, wanted)
        if isinstance(result, Diagnostic):
            problems.append(result)
            continue
        done.append(result)
        if format == "text":
            _tell(result, path, wanted)
    code = worst([*(Exit.COMMAND for _ in problems), *(result.code for result in done)])
    if format == "json":
        console.result(_document(done, problems, code))
    else:
        if problems:
            console.show(problems)
        # Standard output is for the text or the difference alone where these are asked for.
        say = console.message if wanted.shows_diff or writes_text else console.result
        say(_summary(done, len(kept), wanted))
    return code


def _format(path: str, wanted: Wanted) -> LaidOut | Diagnostic:
    """Lay out one program and write it if that is wanted; a finding when it cannot be read or written."""
    data = read_bytes(path)
    if isinstance(data, Diagnostic):
        return data
    name = wanted.stdin_name if path == STANDARD_INPUT else path
    try:
        new = format_bytes(data, name, wanted.lines)
    except AgentLError as error:
        return LaidOut(name, "refused", data, data, error.diagnostics, exit_code_of(error))
    if new == data:
        return LaidOut(name, "unchanged", data, new)
    if not wanted.writes:
        finding = _finding(messages.NOT_FORMATTED, "error", name, data, new)
        return LaidOut(name, "changed", data, new, (finding,), Exit.PROGRAM)
    if path != STANDARD_INPUT:
        try:
            write_whole(path, new.decode("utf-8"))
        except CommandError as error:
            return error.diagnostics[0]
    return LaidOut(name, "changed", data, new, (_finding(messages.WAS_FORMATTED, "info", name, data, new),))


def _finding(message: Message, severity: Severity, name: str, old: bytes, new: bytes) -> Diagnostic:
    """Return a finding at the first line that differs."""
    source = Source(old.decode("utf-8"), name)
    pairs = zip(lines_of(old), lines_of(new), strict=False)
    line = next((number for number, (one, other) in enumerate(pairs, 1) if one != other), len(lines_of(new)))
    return Diagnostic(message, severity=severity, span=source.lines(line, line), source=source)


def _tell(result: LaidOut, path: str, wanted: Wanted) -> None:
    if result.state == "refused":
        console.show(result.findings)
    elif path == STANDARD_INPUT and wanted.writes:
        console.result(result.new.decode("utf-8"), end="")
    elif result.state == "changed" and wanted.shows_diff:
        console.result(difference(result.path, result.old, result.new, color=console.has_color(sys.stdout)), end="")
    elif result.state == "changed" and wanted.writes:
        console.result(messages.FORMATTED.text(path=result.path))
    elif result.state == "changed":
        console.result(messages.WOULD_FORMAT.text(path=result.path, line=result.findings[0].line))


def _counts(done: Iterable[LaidOut]) -> dict[str, int]:
    states = [result.state for result in done]
    each = {state: states.count(state) for state in ("changed", "unchanged", "refused")}
    return {"files": len(states), **each}


def _summary(done: Iterable[LaidOut], kept: int, wanted: Wanted) -> str:
    text = messages.FMT_SUMMARY if wanted.writes else messages.FMT_CHECK_SUMMARY
    said = [text.text(**_counts(done))]
    if kept:
        said.append(messages.FMT_KEPT.text(count=kept))
    return " · ".join(said)


def _document(done: Sequence[LaidOut], problems: Iterable[Diagnostic], code: int) -> str:
    from agentl import __version__
    from agentl.diagnostics.render.findings_json import render_findings

    return render_findings(
        [FileFacts(result.path, hashlib.sha256(result.old).hexdigest()) for result in done],
        fingerprinted([*(finding for result in done for finding in result.findings), *problems]),
        command="fmt",
        version=__version__,
        profile="reference",
        counts=_counts(done),
        exit_code=code,
    )
