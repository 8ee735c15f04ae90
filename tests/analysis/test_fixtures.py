"""The fixtures of the codes that AGENT-L 1.10 has: profile `compat` says exactly what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from agentl.analysis.check import check
from agentl.analysis.profile import Profile
from agentl.diagnostics import Source
from agentl.syntax.parser import parse

FIXTURES = Path(__file__).with_name("fixtures.md")
HEAD = re.compile(r"\*\*(\S+)\*\* → `([^`]+)`\n```agentl\n(.*?)```", re.DOTALL)


class Fixture(NamedTuple):
    """`expected` are (code, line), line 0 meaning that 1.10 gives none."""

    name: str
    expected: list[tuple[str, int]]
    program: str


def read_fixtures() -> list[Fixture]:
    found = []
    for name, listed, program in HEAD.findall(FIXTURES.read_text(encoding="utf-8")):
        pairs = [item.split("@") for item in listed.split()] if listed != "clean" else []
        found.append(Fixture(name, [(code, int(line)) for code, line in pairs], program))
    return found


ALL = read_fixtures()


def codes(fixture: Fixture, profile: Profile) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in check(parse(Source(fixture.program, "f.agent")), profile)]


@pytest.mark.parametrize("fixture", ALL, ids=lambda fixture: fixture.name)
def test_compat_gives_exactly_the_codes_and_lines_of_1_10(fixture: Fixture) -> None:
    without_line = {code for code, line in fixture.expected if line == 0}
    found = codes(fixture, "compat")
    assert all(line > 0 for _, line in found)
    assert sorted((code, 0 if code in without_line else line) for code, line in found) == sorted(fixture.expected)


def test_there_are_132_fixtures() -> None:
    assert len(ALL) == 132


# Two false alarms of 1.10 that the default leaves out (diagnostics.md §7 items 6 and 7).
LEFT_OUT = {"T2-W128-reversed": "W128", "T3-W134-bare-name": "W134"}


@pytest.mark.parametrize("fixture", ALL, ids=lambda fixture: fixture.name)
def test_the_default_says_the_same_but_for_two_false_alarms(fixture: Fixture) -> None:
    left_out = LEFT_OUT.get(fixture.name)
    assert codes(fixture, "reference") == [pair for pair in codes(fixture, "compat") if pair[0] != left_out]
