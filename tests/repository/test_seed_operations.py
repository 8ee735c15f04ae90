"""The table of the page on bounded recovery: every statement has a test that exists, or a reason why it waits."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from tests.repository.nodes import ROOT, exists

COUNT = 58  # none leaves the table unnoticed
STATEMENTS: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests" / "seed_operations.toml").read_text("utf-8"))


def test_every_statement_is_in_the_table_in_order() -> None:
    assert list(STATEMENTS) == [f"R-{number}" for number in range(1, COUNT + 1)]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_has_tests_or_a_reason_to_wait(statement: str) -> None:
    entry = STATEMENTS[statement]
    assert entry.keys() <= {"says", "tests", "open"}
    assert entry["says"].endswith(".")
    assert entry.get("tests") or entry.get("open")
    assert len(set(entry.get("tests", ()))) == len(entry.get("tests", ()))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_test_of_a_statement_exists(statement: str) -> None:
    assert [node for node in STATEMENTS[statement].get("tests", ()) if not exists(node)] == []
