"""The code quality report of GitLab: every entry has what GitLab asks for, and a fingerprint of its own."""

from __future__ import annotations

import json
from typing import Any

from agentl.diagnostics import Source, fingerprinted
from agentl.linting.rendering import render
from tests.linting.reports import SAYS, WRONG, finding, report, whole


def entries(*diagnostics: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(render(report(fingerprinted(diagnostics)), "gitlab"))  # type: ignore[arg-type]
    return found


def test_every_entry_has_the_five_fields() -> None:
    for entry in json.loads(render(whole(), "gitlab")):
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert entry["location"]["lines"]["begin"] >= 1


def test_equal_findings_in_two_files_have_two_fingerprints_which_lines_above_do_not_change() -> None:
    one, two = (finding(SAYS, Source("pear\n", name), 0, 4, "pear") for name in ("a.agent", "b.agent"))
    first, second = entries(one, two)
    assert first["fingerprint"] != second["fingerprint"]
    (moved,) = entries(finding(SAYS, Source("\n\npear\n", "a.agent"), 2, 6, "pear"))
    assert moved["fingerprint"] == first["fingerprint"]
    assert moved["location"] == {"path": "a.agent", "lines": {"begin": 3, "end": 3}}


def test_the_same_path_given_twice_gives_two_fingerprints() -> None:
    (problem,) = whole().problems
    found = json.loads(render(report(problems=(problem, problem)), "gitlab"))
    assert len({entry["fingerprint"] for entry in found}) == 2


def test_answered_findings_are_left_out() -> None:
    assert [entry["check_name"] for entry in json.loads(render(whole(), "gitlab"))] == ["C010", "W901", "E901"]


def test_an_error_is_critical_and_a_warning_minor() -> None:
    source = Source("pear\n", "a.agent")
    found = entries(finding(WRONG, source, 0, 1, "x"), finding(SAYS, source, 1, 2, "y"))
    assert [entry["severity"] for entry in found] == ["critical", "minor"]
