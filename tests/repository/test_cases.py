"""The table of cases: every fault known from the field has a test that exists, or a reason why it waits."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any

import pytest

from tests.repository.nodes import ROOT, exists, names

TABLE = ROOT / "tests" / "cases.toml"
# How many cases each group has. None leaves the table unnoticed.
GROUPS = {
    "A": 7, "B": 7, "C": 3, "D": 7, "E": 9, "F": 7, "G": 11, "H": 8, "I": 11, "J": 6, "K": 6, "L": 9, "M": 5, "N": 6,
    "O": 5, "P": 2, "Q": 2, "R": 4,
}  # fmt: skip
CASES: dict[str, dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))


def test_every_case_of_every_group_is_in_the_table() -> None:
    expected = [f"P-{group}{number}" for group, count in GROUPS.items() for number in range(1, count + 1)]
    assert list(CASES) == expected


@pytest.mark.parametrize("case", CASES)
def test_a_case_has_tests_or_a_reason_to_wait(case: str) -> None:
    entry = CASES[case]
    assert entry.keys() <= {"says", "tests", "open"}
    assert entry["says"].endswith(".")
    assert entry.get("tests") or entry.get("open")
    assert all(count == 1 for count in Counter(entry.get("tests", ())).values())


@pytest.mark.parametrize("case", CASES)
def test_every_test_of_a_case_exists(case: str) -> None:
    missing = [node for node in CASES[case].get("tests", ()) if not exists(node)]
    assert missing == []


def test_a_test_that_is_named_after_a_case_is_in_the_table() -> None:
    """A test called test_case_g3_… is one of the tests of P-G3, or stands beside one of them in its file."""
    strays = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in names(file):
            named = re.match(r"test_case_([a-z])(\d+)_", name)
            if named is None:
                continue
            entry = CASES.get(f"P-{named[1].upper()}{named[2]}", {})
            if file.relative_to(ROOT).as_posix() not in {node.partition("::")[0] for node in entry.get("tests", ())}:
                strays.append(f"{file.name}::{name}")
    assert strays == []


def test_a_case_that_is_named_anywhere_is_in_the_table() -> None:
    named = {
        found
        for folder in ("agentl", "tests", "examples", "benchmarks")
        for file in (ROOT / folder).rglob("*.py")
        for found in re.findall(r"\bP-[A-Z]\d+\b", file.read_text(encoding="utf-8"))
    }
    assert named <= set(CASES)
    assert len(named) > 20
