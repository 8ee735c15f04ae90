"""Writes the results of case files anew: what changed is then to be read, line by line, against the reference.

AGENTL_REWRITE_CASES=1 pytest tests/language/test_constructs.py
"""

from __future__ import annotations

import os

from tests.language.case_files import Case, CaseFile
from tests.language.results import Result, results

IS_WANTED = bool(os.environ.get("AGENTL_REWRITE_CASES"))


def rewrite(file: CaseFile) -> bool:
    """Put what is found into every block of results of a file, and a block where one is missing; True if it changed."""
    text = file.path.read_text(encoding="utf-8")
    lines = text.splitlines()
    edits = [edit for case in file.cases for edit in _edits(case)]
    # From the end of the file to its beginning; of two at one place the first comes to stand first.
    for _, (first, last, new) in sorted(enumerate(edits), key=lambda each: (each[1][0], each[0]), reverse=True):
        lines[first:last] = new
    changed = "".join(f"{line}\n" for line in lines)
    if changed != text:
        file.path.write_text(changed, encoding="utf-8")
    return changed != text


def _edits(case: Case) -> list[tuple[int, int, list[str]]]:
    """(first line, line behind the last, what stands there instead), counted from 0."""
    edits = []
    for result in results(case):
        if result.block is not None:
            first = result.block.line - 1
            edits.append((first, first + len(result.expected.splitlines()), result.found.splitlines()))
        else:
            place = _place_of(case, result)
            edits.append((place, place, ["", f"```{result.language}", *result.found.splitlines(), "```"]))
    return edits


def _place_of(case: Case, result: Result) -> int:
    """Where a missing block goes: behind what the run needs and what stands there of its results."""
    before = {"trace": ("agentl", "host"), "calls": ("agentl", "host", "trace")}.get(result.language, ("agentl",))
    last = [block for block in case.section.blocks if block.language in before][-1]
    return last.line + len(last.text.splitlines())
