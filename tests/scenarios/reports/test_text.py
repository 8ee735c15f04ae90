"""The report as people read it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.messages import use_language
from agentl.messages.language import LANGUAGES
from agentl.scenarios.reports.text import render_report
from tests.scenarios.reports.files import nothing, report, unreadable


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    yield
    use_language(None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_colour_and_why(language: str, snapshot: SnapshotAssertion) -> None:
    use_language(language)
    assert render_report(report("colours.agent")) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_could_not_be_tested(language: str, snapshot: SnapshotAssertion) -> None:
    use_language(language)
    found = report("empty.agent", "grammar.agent", "refused.agent", problems=(unreadable(), nothing()))
    assert render_report(found) == snapshot


def test_agents_without_scenario_are_still_named_when_they_are_allowed() -> None:
    text = render_report(report("empty.agent", allow_empty=True))
    assert "agent `a` has no scenario" in text
    assert "C060" not in text
    assert "agents without scenario: 1" in text


def test_the_trace_of_every_scenario_is_shown_if_wanted() -> None:
    plain, traced = render_report(report("colours.agent")), render_report(report("colours.agent"), trace=True)
    assert "TICK" not in plain
    assert traced.count("| [1] TICK") == 6
    assert [line for line in traced.splitlines() if "| [" not in line] == plain.splitlines()


def test_colour_changes_nothing_but_colour() -> None:
    painted = render_report(report("colours.agent"), color=True)
    assert "\x1b[1;32mgreen\x1b[0m dark" in painted
    assert "\x1b[1;31mred\x1b[0m wrong" in painted
