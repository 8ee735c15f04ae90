"""What each form of case comes to: computed here, compared by the test, written into the file when asked to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agentl.scenarios.reports.report import Report, play_suites
from agentl.scenarios.reports.text import render_report
from agentl.scenarios.suite import suite_of
from tests.language.case_files import Case, CaseProgram
from tests.language.playing import Played, play
from tests.literate import Block, show

NOTHING = "nothing"


@dataclass(frozen=True)
class Result:
    """A block of a case: what stands in it, and what should. `block` is None where a block is wanted and missing."""

    language: str
    block: Block | None
    found: str

    @property
    def expected(self) -> str:
        return "" if self.block is None else self.block.text


def results(case: Case) -> Iterator[Result]:
    """Every block of a case that holds results."""
    if case.form == "refused":
        yield from _refusals(case)
    elif case.form == "scenarios":
        yield Result("report", case.block("report"), report_of(case.program()))
    elif case.form == "runs" and case.block("cases") is not None:
        yield Result("cases", case.block("cases"), _rows(case))
    elif case.form == "runs":
        yield from _run(case)


def _refusals(case: Case) -> Iterator[Result]:
    blocks = case.section.blocks
    for block, program in case.programs():
        after = blocks[blocks.index(block) + 1 :]
        shown = after[0] if after and after[0].language == "text" else None
        yield Result("text", shown, _lines(show(program.findings).splitlines()))


def _run(case: Case) -> Iterator[Result]:
    played = play(case.program().program, case.text("host"))
    yield Result("trace", case.block("trace"), _trace(case, played))
    # Readings alone can be seen in the trace.
    if case.block("calls") is not None or any(not line.startswith("read ") for line in played.calls):
        yield Result("calls", case.block("calls"), _asked(case, played))
    state = case.block("state")
    if state is not None:
        asked = [re.split(r" =(?: |$)", line, maxsplit=1)[0] for line in state.text.splitlines()]
        yield Result("state", state, _lines(f"{path} = {played.state(path)}" for path in asked))


def _trace(case: Case, played: Played) -> str:
    """The trace, or those lines of it that the block asks for by their kinds."""
    block = case.block("trace")
    lines = played.trace.splitlines()
    if block is not None and block.more:
        kinds = {"==", *block.more.split()}
        lines = [line for line in lines if kinds & set(line.split(" ")[:2])]
    return _lines(lines)


def _asked(case: Case, played: Played) -> str:
    """What the host was asked, or those lines of it that begin with a word the block names."""
    block = case.block("calls")
    lines = played.calls
    if block is not None and block.more:
        lines = [line for line in lines if line.split(" ")[0] in block.more.split()]
    return _lines(lines)


def _rows(case: Case) -> str:
    block = case.block("cases")
    assert block is not None
    rows = case.rows()
    found = [outcome(case, columns, block.more) for columns, _ in rows]
    width = [max(len(row[at]) for row, _ in rows) for at in range(len(rows[0][0]))]
    shown = [" | ".join(text.ljust(size) for text, size in zip(row, width, strict=True)) for row, _ in rows]
    return _lines(f"{columns} → {text}" for columns, text in zip(shown, found, strict=True))


def outcome(case: Case, columns: list[str], looked_at: str) -> str:
    """What a row of `cases` comes to."""
    program, script = case.filled(columns)
    played = play(program.program, script)
    word, _, path = looked_at.partition(" ")
    if word == "state":
        return played.state(path)
    if word:
        return "; ".join(played.of_kinds(tuple(looked_at.split()))) or NOTHING
    return "; ".join(_calls(played)) or NOTHING


def _calls(played: Played) -> list[str]:
    return [line for line in played.calls if not line.startswith("read ")]


def report_of(program: CaseProgram) -> str:
    """What `agentl test` says of a program."""
    suite = suite_of(program.text.encode(), "case.agent")
    return render_report(Report(play_suites([suite], lambda: 0.0))) + "\n"


def _lines(lines: Iterator[str] | list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
