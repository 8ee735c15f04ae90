"""SARIF: valid by the schema of the standard, one run, addresses that a viewer finds, and what was answered."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator, FormatChecker

from agentl.diagnostics import Source, fingerprinted
from agentl.linting.rendering import Look, render
from tests.linting.reports import WRONG, finding, report, whole

paths = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=12)
SCHEMA = Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json"


@cache
def validator() -> Draft4Validator:
    return Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")), format_checker=FormatChecker())


def run_of(text: str) -> dict[str, Any]:
    log = json.loads(text)
    assert [error.message for error in validator().iter_errors(log)] == []
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_refuses_what_is_no_log() -> None:
    log = json.loads(render(whole(), "sarif"))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator().is_valid(log)


@settings(max_examples=15, deadline=None)
@given(what=st.text(max_size=12), folder=paths)
def test_it_is_valid_whatever_messages_and_paths_hold(what: str, folder: str) -> None:
    for result in run_of(render(whole(folder, what), "sarif"))["results"]:
        location = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert location["uri"].isascii() and " " not in location["uri"]


def test_thirty_files_are_one_run_and_all_clean_is_an_empty_list() -> None:
    run = run_of(render(report(files=[f"{number}.agent" for number in range(30)]), "sarif"))
    assert run["results"] == []
    assert len(run["artifacts"]) == 30
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 0, "toolConfigurationNotifications": []}]


def test_what_a_comment_or_the_baseline_answers_is_there_and_says_so() -> None:
    run = run_of(render(whole(), "sarif"))
    answered = [each["suppressions"] for each in run["results"] if each["suppressions"]]
    assert answered == [
        [
            {
                "kind": "inSource",
                "status": "accepted",
                "justification": "because of pear",
                "properties": {"by": "comment", "until": "2031-05-01"},
            }
        ],
        [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "known before: it is in the baseline",
            }
        ],
    ]
    assert run["properties"]["counts"]["suppressed"] == run["properties"]["counts"]["baseline"] == 1


def test_a_path_that_cannot_be_read_is_a_result_and_the_run_was_no_success() -> None:
    run = run_of(render(whole(problem="gone/missing.agent"), "sarif"))
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["exitCode"] == 2
    assert [each["descriptor"]["id"] for each in run["invocations"][0]["toolConfigurationNotifications"]] == ["C010"]
    (result,) = [each for each in run["results"] if each["ruleId"] == "C010"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "gone/missing.agent"


def test_only_safe_fixes_are_offered() -> None:
    fixes = [each["fixes"] for each in run_of(render(whole(), "sarif"))["results"]]
    assert [len(each) for each in fixes] == [0, 0, 1, 0, 0]
    change = fixes[2][0]["artifactChanges"][0]["replacements"][0]
    assert change["deletedRegion"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 5}


def test_columns_count_code_points_after_tabs_and_letters_beyond_the_first_plane() -> None:
    source = Source("\t\té😀plum\n", "a.agent")
    found = fingerprinted([finding(WRONG, source, 4, 8, "plum")])
    run = run_of(render(report(found), "sarif"))
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 9}


def test_each_rule_that_found_something_brings_its_page() -> None:
    from agentl.analysis.check import check
    from agentl.syntax.parser import parse

    program = Source(
        "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { RISK LOW }\n  LOOP { OBSERVE EXECUTE }\n}\n", "a.agent"
    )
    run = run_of(render(report(fingerprinted(check(parse(program), "reference"))), "sarif"))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({result["ruleId"] for result in run["results"]}) != []
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for rule in rules:
        assert "## Why it matters" in rule["help"]["markdown"] and "```agentl" in rule["help"]["markdown"]
        assert rule["properties"]["tags"]


def test_the_run_is_named_by_its_category() -> None:
    names = [run_of(render(whole(), "sarif", Look(category=name)))["automationDetails"]["id"] for name in "aba"]
    assert names == ["agentl/a/", "agentl/b/", "agentl/a/"]
