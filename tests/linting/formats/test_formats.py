"""Every format: found by being a file, says the same counts, and can be read back whatever it holds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from agentl.linting.rendering import Look, format_names, render
from tests.linting.markdown_table import cells
from tests.linting.reports import report, whole

# Formats that have a place for the summary line; GitLab's is a bare array of findings.
SAYS_SUMMARY = {"text", "concise", "github", "markdown"}
NASTY = "a|b`c*_<b>&amp;\n::error::x%0A,\\]]>\x00\x1b[31m\u202e\ud800\u2028é😀"


def test_the_formats_are_those_agreed_and_each_is_read_back_here() -> None:
    agreed = {"concise", "github", "gitlab", "json", "jsonl", "junit", "markdown", "sarif", "text"}
    assert set(format_names()) == agreed == set(READ_BACK)


@pytest.mark.parametrize("name", format_names())
def test_a_format_is_a_snapshot(name: str, snapshot: SnapshotAssertion) -> None:
    assert render(whole(), name) == snapshot


@pytest.mark.parametrize("name", sorted(SAYS_SUMMARY))
def test_the_last_line_is_the_summary(name: str) -> None:
    last = render(whole(), name).splitlines()[-1]
    assert last.startswith("files: 3 · agents: 3 · policy rules: 2 · checks: 75 · errors: 2 · warnings: 1")


@pytest.mark.parametrize("name", format_names())
def test_nothing_found_is_a_document_too(name: str) -> None:
    assert READ_BACK[name](render(report(files=["a.agent"]), name)) == []


def _of_lines(text: str) -> list[str]:
    return [line for line in text.split("\n")[:-1] if " W901: " in line or " E901: " in line]


def _of_github(text: str) -> list[str]:
    *commands, summary = text.split("\n")
    assert summary.startswith("files: ")
    assert all(re.fullmatch(r"::(error|warning|notice) [^:\r\n]*::[^\r\n]*", command) for command in commands)
    return [command for command in commands if "title=C010" not in command]


def _of_gitlab(text: str) -> list[str]:
    entries = json.loads(text)
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    return [entry["description"] for entry in entries if entry["check_name"] != "C010"]


def _of_json(text: str) -> list[str]:
    return _live(json.loads(text)["findings"])


def _of_jsonl(text: str) -> list[str]:
    *findings, rest = map(json.loads, text.split("\n"))
    assert rest["schema"] == "agentl.findings/1" and rest["summary"]["files"]
    return _live(findings)


def _live(findings: list[dict[str, object]]) -> list[str]:
    live = [each for each in findings if each["suppressed"] is None and not each["baseline"]]
    return [str(each["message"]) for each in live if each["rule"] != "C010"]


def _of_junit(text: str) -> list[str]:
    root = ElementTree.fromstring(text)
    assert int(root.attrib["tests"]) == len(list(root.iter("testcase")))
    cases = [case for case in root.iter("testcase") if case.get("name") != "C010" and case.find("skipped") is None]
    return [str(case.get("name")) for case in cases if len(case)]


def _of_markdown(text: str) -> list[str]:
    found = cells(text)
    assert len(found) % 4 == 0
    return [code for code in found[2::4] if code != "C010"]


def _of_sarif(text: str) -> list[str]:
    (run,) = json.loads(text)["runs"]
    live = [each for each in run["results"] if not each["suppressions"]]
    return [each["message"]["text"] for each in live if each["ruleId"] != "C010"]


READ_BACK: dict[str, Callable[[str], list[str]]] = {
    "text": _of_lines,
    "concise": _of_lines,
    "github": _of_github,
    "gitlab": _of_gitlab,
    "json": _of_json,
    "jsonl": _of_jsonl,
    "junit": _of_junit,
    "markdown": _of_markdown,
    "sarif": _of_sarif,
}
anything = st.text(st.characters(), max_size=12)
# What a path may be: any bytes but NUL.
paths = st.binary(min_size=1, max_size=12).map(lambda name: os.fsdecode(name.replace(b"\0", b"-")))


@pytest.mark.parametrize("name", format_names())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(what=anything, folder=paths)
@example(what=NASTY, folder=NASTY.translate({0: "", 0xD800: ""}))
@example(what="\r", folder="we,ird:1")
def test_any_text_and_path_is_read_back_with_two_live_findings(name: str, what: str, folder: str) -> None:
    found = render(whole(folder, what, problem=folder), name)
    assert len(READ_BACK[name](found)) == 2
    found.encode("utf-8", "backslashreplace")


@pytest.mark.parametrize("name", ["text", "concise", "markdown", "json", "jsonl"])
def test_statistics_count_each_rule_with_its_fixable_share(name: str, snapshot: SnapshotAssertion) -> None:
    shown = render(whole(), name, Look(statistics=True))
    if name.startswith("json"):
        assert json.loads(shown.split("\n")[-1] if name == "jsonl" else shown)["statistics"] == [
            {"code": "E901", "name": "wrong", "count": 1, "fixable": 1, "safe": 1},
            {"code": "W901", "name": "says", "count": 1, "fixable": 0, "safe": 0},
        ]
    else:
        assert shown == snapshot
