"""The report as JSON (tooling.md §11.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agentl.messages import use_language
from agentl.scenarios.reports.document import render_document
from tests.scenarios.reports.files import nothing, report, unreadable


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    yield
    use_language(None)


def document(*names: str, trace: bool = False, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render_document(report(*names, **more), 1, trace=trace))
    return found


def test_it_is_the_schema_of_findings_with_scenarios() -> None:
    found = document("colours.agent")
    assert found["schema"] == "agentl.findings/1"
    assert found["tool"]["profile"] == "reference"
    assert [(entry["path"], entry["agents"]) for entry in found["files"]] == [("colours.agent", ["lamp", "idle"])]
    assert [(entry["name"], entry["status"]) for entry in found["scenarios"]] == [
        ("dark", "green"),
        ("bright", "green"),
        ("silent", "green"),
        ("both", "green"),
        ("wrong", "red"),
        ("unposed", "red"),
        ("invalid", "invalid"),
    ]


def test_the_summary_tells_apart_what_one_exit_code_holds() -> None:
    for name, status in (("empty.agent", "empty"), ("grammar.agent", "grammar"), ("refused.agent", "refused")):
        assert document(name)["summary"]["status"] == status
    assert document("green.agent", problems=(unreadable(),))["summary"]["status"] == "unreadable"
    summary = document("colours.agent")["summary"]
    assert summary["exit"] == 1
    assert (summary["scenarios"], summary["green"], summary["red"], summary["invalid"]) == (7, 4, 2, 1)


def test_a_green_scenario_says_what_held_and_what_was_called() -> None:
    dark = document("colours.agent")["scenarios"][0]
    assert dark == {
        "file": "colours.agent",
        "line": 7,
        "agent": "lamp",
        "name": "dark",
        "status": "green",
        "ticks": 1,
        "within": 3,
        "expected": [{"form": "eventuality", "expression": "lamp.on == yes", "met": True, "tick": 1}],
        "failed": [],
        "calls": [{"tick": 1, "tool": "light", "call": "light()"}],
        "error": None,
        "errors": [],
        "duration": 0.0,
    }


def test_a_red_scenario_says_what_failed() -> None:
    wrong, unposed = document("colours.agent")["scenarios"][4:6]
    assert [(entry["form"], entry["expression"], entry["tick"]) for entry in wrong["failed"]] == [
        ("invariant", "lamp.on == no", 1),
        ("eventuality", "lamp.on == red", None),
        ("assertion", "NEVER CALL light", None),
        ("assertion", "BLOCKED light", None),
    ]
    assert wrong["error"] is None
    assert [error["rule"] for error in unposed["errors"]] == ["R208"]
    assert unposed["error"] == unposed["errors"][0]["message"]
    assert unposed["calls"] == [{"tick": 1, "tool": "count", "call": "count()"}]


def test_findings_hold_what_kept_a_scenario_or_a_file_from_being_tested() -> None:
    found = document("colours.agent", "grammar.agent", "refused.agent", problems=(nothing(),))
    assert [(entry["rule"], entry["file"]) for entry in found["findings"]] == [
        ("C060", "colours.agent"),
        ("W117", "colours.agent"),
        ("C061", "folder"),
        ("P003", "grammar.agent"),
        ("E001", "refused.agent"),
    ]
    assert {entry["command"] for entry in found["findings"]} == {"test"}


def test_an_allowed_agent_without_scenario_is_no_finding() -> None:
    assert document("empty.agent", allow_empty=True)["findings"] == []


def test_traces_are_there_if_wanted() -> None:
    assert "trace" not in document("green.agent")["scenarios"][0]
    assert document("green.agent", trace=True)["scenarios"][0]["trace"][0] == "[1] TICK"


def test_only_messages_depend_on_the_language() -> None:
    english = document("colours.agent")
    use_language("fr")
    french = document("colours.agent")
    assert english != french
    for entries in (english, french):
        for finding in entries["findings"]:
            del finding["message"], finding["help"]
            for said in finding["fixes"]:
                del said["title"]
        for scenario in entries["scenarios"]:
            del scenario["error"], scenario["errors"]
            for failed in scenario["failed"]:
                del failed["message"]
    assert english == french
