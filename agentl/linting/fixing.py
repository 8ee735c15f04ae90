"""Applies the fixes of findings, pass after pass, until nothing is left to mend (tooling.md §12).

After every pass the program is checked again: fixes that would leave no program, bring an error, or not mend what they
are of, are taken back.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentl.diagnostics import Edit, Finding
from agentl.linting.one_file import Checked, Input, check_file
from agentl.linting.original_text import edited_original
from agentl.linting.settings import Settings

if TYPE_CHECKING:
    from datetime import date

_MAX_PASSES = 10


class Fixed(NamedTuple):
    """A file after fixing: its bytes, how many findings were mended, and whether it is a program at all."""

    data: bytes
    mended: int
    is_program: bool


class _Step(NamedTuple):
    """The fix to take for a finding."""

    finding: Finding
    edits: tuple[Edit, ...]


def fix_file(program: Input, settings: Settings, *, unsafe: bool = False, today: date | None = None) -> Fixed:
    """Return what a file becomes by the safe fixes of what is found in it, or by all with `unsafe`.

    Findings that a comment suppresses stay. A file that is no program, or no text, is given back as it is.
    """
    return _Fixing(program, settings, unsafe, today).fixed()


class _Fixing:
    def __init__(self, program: Input, settings: Settings, unsafe: bool, today: date | None) -> None:
        self._path = program.path
        self._data = program.data
        self._settings = settings
        self._unsafe = unsafe
        self._today = today
        self._taken_back: set[str] = set()

    def fixed(self) -> Fixed:
        checked = self._check(self._data)
        if not _is_program(checked):
            return Fixed(self._data, 0, is_program=False)
        mended = 0
        for _ in range(_MAX_PASSES):
            steps = list(_apart(self._steps(checked)))
            if not steps:
                break
            made, checked = self._grown((), checked, steps)
            self._data = self._edited(made)
            mended += len(made)
        return Fixed(self._data, mended, is_program=True)

    def _check(self, data: bytes) -> Checked:
        return check_file(Input(self._path, data), self._settings, self._today)

    def _steps(self, checked: Checked) -> Iterator[_Step]:
        """Yield a fix for each finding of this very text that has one to take."""
        for finding in sorted(checked.findings, key=lambda each: each.place):
            if finding.is_live and finding.path == self._path and finding.fingerprint not in self._taken_back:
                fix = next((each for each in finding.diagnostic.fixes if each.safe or self._unsafe), None)
                if fix is not None:
                    yield _Step(finding, tuple(sorted(fix.edits)))

    def _grown(self, made: Sequence[_Step], now: Checked, steps: Sequence[_Step]) -> tuple[Sequence[_Step], Checked]:
        """Return the steps made so far and those of the new ones that do good, and what is found then.

        All are tried at once; where that does no good, each half, down to the single ones that are taken back.
        """
        after = self._check(self._edited([*made, *steps]))
        if _is_better(now, after, steps):
            return [*made, *steps], after
        if len(steps) == 1:
            self._taken_back.add(steps[0].finding.fingerprint)
            return made, now
        half = len(steps) // 2
        made, now = self._grown(made, now, steps[:half])
        return self._grown(made, now, steps[half:])

    def _edited(self, steps: Iterable[_Step]) -> bytes:
        edits = {edit for step in steps for edit in step.edits}
        return edited_original(self._data.decode("utf-8"), edits).encode("utf-8")


def _is_program(checked: Checked) -> bool:
    return not any(
        each.diagnostic.code.startswith("P") and each.diagnostic.severity == "error" for each in checked.findings
    )


def _is_better(before: Checked, after: Checked, steps: Iterable[_Step]) -> bool:
    """Is it still a program, with no error more, and less of each that was to be mended?"""
    old, new = _codes(before), _codes(after)
    errors = {each.diagnostic.code for each in after.findings if each.diagnostic.severity == "error"}
    return (
        _is_program(after)
        and all(new[code] <= old[code] for code in errors)
        and all(new[step.finding.diagnostic.code] < old[step.finding.diagnostic.code] for step in steps)
    )


def _codes(checked: Checked) -> Counter[str]:
    return Counter(finding.diagnostic.code for finding in checked.findings if finding.is_live)


def _apart(steps: Iterable[_Step]) -> Iterator[_Step]:
    """Leave out steps whose edits meet those of an earlier one; equal edits are made once."""
    taken: list[Edit] = []  # sorted, and apart: only neighbours can meet
    for step in steps:
        new = [edit for edit in step.edits if not _is_in(taken, edit)]
        if not any(_meet(edit, other) for edit in new for other in _neighbours(taken, edit)):
            for edit in new:
                insort(taken, edit)
            yield step


def _is_in(taken: Sequence[Edit], edit: Edit) -> bool:
    at = bisect_left(taken, edit)
    return taken[at : at + 1] == [edit]


def _neighbours(taken: Sequence[Edit], edit: Edit) -> Sequence[Edit]:
    at = bisect_left(taken, edit)
    return taken[max(0, at - 1) : at + 1]


def _meet(one: Edit, other: Edit) -> bool:
    """Two insertions at one place do not meet, unless one opens a block there, in which the other may belong."""
    if one.span == other.span and one.span.start == one.span.end:
        return "{" in one.text or "{" in other.text
    return one.span.start < other.span.end and other.span.start < one.span.end
