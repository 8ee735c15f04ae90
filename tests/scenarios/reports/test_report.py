"""One status for everything that was looked at, and the counts."""

from __future__ import annotations

from itertools import permutations

import pytest

from agentl.scenarios.reports.report import Report
from tests.scenarios.reports.files import nothing, report, unreadable


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("green.agent", "passed"),
        ("red.agent", "failed"),
        ("empty.agent", "empty"),
        ("red_and_empty.agent", "failed"),
        ("refused.agent", "refused"),
        ("grammar.agent", "grammar"),
        ("colours.agent", "failed"),
    ],
)
def test_the_status_of_a_file(name: str, status: str) -> None:
    found = report(name)
    assert found.status == found.files[0].status(False) == status


def test_a_file_without_agents_is_no_failure_but_nothing_played_at_all_is_one() -> None:
    assert report("modules.agent").status == "empty"
    assert report("modules.agent", allow_empty=True).status == "passed"
    assert report("modules.agent", "green.agent").status == "passed"


def test_agents_without_scenario_can_be_allowed_and_nothing_else_can() -> None:
    assert report("empty.agent", allow_empty=True).status == "passed"
    assert report("red_and_empty.agent", allow_empty=True).status == "failed"
    assert report("green.agent", problems=(nothing(),), allow_empty=True).status == "empty"


def test_nothing_at_all_is_empty() -> None:
    assert Report(()).status == "empty"
    assert Report((), (unreadable(),)).status == "unreadable"


@pytest.mark.parametrize("names", list(permutations(["green.agent", "red.agent", "empty.agent", "refused.agent"])))
def test_the_order_of_files_changes_no_status(names: tuple[str, ...]) -> None:
    assert report(*names).status == "empty"


def test_the_counts_are_of_all_files() -> None:
    found = report("colours.agent", "empty.agent", "refused.agent", problems=(unreadable(),))
    assert found.counts == {
        "files": 3,
        "agents": 4,
        "scenarios": 7,
        "green": 4,
        "red": 2,
        "invalid": 1,
        "empty_agents": 2,
        "not_tested": 2,
    }
