"""The pages about suppressions: like those of rules, and checked as they show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.analysis import pages as of_rules
from agentl.analysis.pages import Page
from agentl.linting import suppressions
from agentl.linting.pages import all_pages, page_of
from agentl.messages import suppressing

PAGES = [page for page in all_pages() if page.group == "suppressions"]


def test_every_code_about_suppressions_has_a_page_and_every_page_a_code() -> None:
    codes = [suppressing.MALFORMED.code, *(message.code for message in suppressing.WARNINGS)]
    assert [page.message.code for page in PAGES] == codes
    files = {path.stem for path in Path(suppressions.__path__[0], "pages").glob("*.md")}
    assert files == {page.message.name.replace("-", "_") for page in PAGES}


def test_the_pages_of_rules_are_there_too() -> None:
    assert [page.message.code for page in all_pages()][: -len(PAGES)] == [
        page.message.code for page in of_rules.all_pages()
    ]
    assert page_of("C012") is None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.message.code)
def test_a_page_says_all_in_both_languages_and_its_programs_show_it(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agentl.toml").write_text('ignore = ["S", "W"]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for both in (page.what, page.why, page.suppress or {}):
        assert both.keys() == {"en", "fr"} and both["en"] != both["fr"]
    assert len(page.findings(page.example)) == 1
    assert [finding.code for finding in page.check(page.better)] == []
