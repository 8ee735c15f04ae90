"""The page of each rule: there, in both languages, with programs that show what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import agentl.analysis.rules
from agentl.analysis.check import check
from agentl.analysis.pages import Page, all_pages, page_of
from agentl.analysis.registry import all_rules
from agentl.diagnostics import Source
from agentl.syntax.parser import parse

RULES = Path(agentl.analysis.rules.__path__[0])
PAGES = list(all_pages())


def codes(page: Page, program: str) -> list[str]:
    return [finding.code for finding in page.check(program)]


def test_every_message_of_every_rule_has_a_page_and_every_page_a_rule() -> None:
    expected = sorted(message.code for rule in all_rules() for message in rule.messages)
    assert [page.message.code for page in PAGES] == expected
    files = {path.with_suffix("") for path in RULES.rglob("*.md")}
    assert files == {path.with_suffix("") for path in RULES.rglob("*.py") if path.stem != "__init__"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.message.code)
def test_a_page_says_all_in_both_languages_and_only_a_warning_says_when_to_suppress_it(page: Page) -> None:
    texts = [page.what, page.why, *([page.suppress] if page.suppress is not None else [])]
    for both in texts:
        assert both.keys() == {"en", "fr"}
        assert both["en"] != both["fr"]
        assert all(text.endswith(".") and len(text) > 10 for text in both.values())
    assert (page.suppress is None) is not page.message.code.startswith("W")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.message.code)
def test_the_example_shows_the_finding_and_the_better_program_has_none_at_all(page: Page) -> None:
    assert page.message.code in codes(page, page.example)
    assert codes(page, page.better) == []


def test_every_example_reports_exactly_its_codes(snapshot: SnapshotAssertion) -> None:
    reported = {page.message.code: " ".join(places(page)) for page in PAGES}
    assert reported == snapshot


def places(page: Page) -> list[str]:
    """`code@line` of each finding; of those that only one profile has, with its name before it."""
    usual = [(found.code, found.span) for found in check(parse(Source(page.example)))]
    own = page.profile if page.profile == "sequential" else "strict"
    return [
        f"{'' if (found.code, found.span) in usual else f'{own}:'}{found.code}@{found.line}"
        for found in page.check(page.example)
    ]


def test_a_page_knows_the_folder_of_its_rule() -> None:
    page = page_of("W102")
    assert page is not None and page.group == "flow" and page.message.name == "unverified-action"


def test_a_code_that_no_rule_reports_has_no_page() -> None:
    assert page_of("P001") is None
