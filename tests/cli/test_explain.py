"""`agentl explain`: pages of rules, messages of all other codes, a list of them all."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from agentl.cli.app import main
from agentl.linting.pages import all_pages
from agentl.messages import use_language
from agentl.messages.catalogue import catalogue


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use_language(None)


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explain", *arguments]) == 0
    streams = capsys.readouterr()
    assert streams.err == ""
    return streams.out


def test_a_page_has_every_section_and_what_check_says_about_its_example(capsys: pytest.CaptureFixture[str]) -> None:
    page = explained(capsys, "W120")
    assert page.startswith("W120 unapproved-tool (policy: warning, in every profile)\n")
    headings = [line for line in page.splitlines()[1:] if line and not line.startswith(" ")]
    assert headings == [
        "What it finds",
        "Why it matters",
        "Example",
        "What check says",
        "Better",
        "When to suppress it",
    ]
    assert "    4:8: tool `purge` has risk CRITICAL, and there are calls of it that no person approves\n" in page
    assert "    AGENT furnace {\n" in page
    assert max(map(len, page.splitlines())) <= 110


def test_a_code_is_found_by_its_name_and_whatever_the_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, "w120") == explained(capsys, "Unapproved-Tool") == explained(capsys, "W120")


def test_several_codes_give_several_pages(capsys: pytest.CaptureFixture[str]) -> None:
    out = explained(capsys, "W101", "E001")
    assert 0 == out.index("W101 ") < out.index("\n\nE001 undeclared-tool")


def test_an_error_says_that_nothing_suppresses_it_and_ours_say_where_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "Never: an error" in explained(capsys, "E001")
    assert "in the profiles reference, strict and sequential)" in explained(capsys, "E205")
    assert "in the profile strict only)" in explained(capsys, "W223")


def test_a_code_of_no_rule_says_what_its_message_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, "C012") == (
        "C012 nothing-to-check\n\nit says\n  nothing to check below `{path}`: 0 files\n\n"
        "it advises\n  programs are files named *.agent\n"
    )


def test_in_french_only_the_program_stays(capsys: pytest.CaptureFixture[str]) -> None:
    page = explained(capsys, "W120", "--lang", "fr")
    assert "Pourquoi cela compte\n" in page and "What it finds" not in page
    assert "a le risque CRITICAL" in page and "AGENT furnace {" in page


def test_without_codes_every_code_is_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    listed = [line.split() for line in explained(capsys).splitlines()]
    assert [tuple(line) for line in listed] == [(code, message.name) for code, message in catalogue().items()]


def test_all_pages_come_as_markdown_or_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    pages = list(all_pages())
    markdown = explained(capsys, "--all", "--format", "markdown")
    manifests = sum(page.manifest is not None for page in pages)
    assert markdown.count("\n# ") + 1 == len(pages) and markdown.count("```") == 6 * len(pages) + 2 * manifests
    data = json.loads(explained(capsys, "--all", "--format", "json"))
    assert (data["schema"], data["language"]) == ("agentl.pages/1", "en")
    assert [each["code"] for each in data["pages"]] == [page.message.code for page in pages]
    first = data["pages"][0]
    assert first["page"]["example"] == pages[0].example and first["page"]["severity"] == "error"


def test_data_of_every_code_has_a_page_only_for_rules(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(explained(capsys, "--format", "json"))
    rules = {page.message.code for page in all_pages()}
    assert {each["code"] for each in data["pages"] if each["page"] is not None} == rules
    assert {each["code"] for each in data["pages"]} == set(catalogue())


def test_an_unknown_code_is_wrong_usage_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "unaproved-tool"]) == 2
    error = capsys.readouterr().err
    assert "C017" in error and "did you mean `unapproved-tool`?" in error
    assert main(["explain", "Q999"]) == 2
    assert "`agentl explain` lists them all" in capsys.readouterr().err
