"""JUnit XML of a check: what fails, what is skipped, what passes."""

from __future__ import annotations

from xml.etree import ElementTree

from agentl.linting.rendering import render
from tests.linting.reports import report, whole


def test_errors_fail_warnings_pass_with_output_and_answered_ones_are_skipped() -> None:
    root = ElementTree.fromstring(render(whole(), "junit"))
    seen = {
        (case.attrib["classname"], case.attrib["name"]): [(child.tag, child.get("message")) for child in case]
        for case in root.iter("testcase")
    }
    assert seen == {
        ("missing.agent", "C010"): [("failure", "`missing.agent` cannot be read: it is gone")],
        ("programs/one.agent", "E901"): [("failure", "`pear` is wrong")],
        ("programs/one.agent", "W901"): [("system-out", None)],
        ("programs/three.agent", "check"): [],
        ("programs/two.agent", "W901"): [("skipped", "because of pear; known before: it is in the baseline")],
    }
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "2",
        "errors": "0",
        "skipped": "1",
    }


def test_the_counts_are_properties() -> None:
    root = ElementTree.fromstring(render(whole(), "junit"))
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert properties["files"] == "3" and properties["checks"] == "75" and properties["suppressed"] == "1"


def test_control_characters_are_shown_by_their_number() -> None:
    root = ElementTree.fromstring(render(whole(what="\x00\x1b\ufffe"), "junit"))
    (failure,) = [each for each in root.iter("failure") if each.get("type") == "E901"]
    assert failure.get("message") == "`\\u{0000}\\u{001B}\\u{FFFE}` is wrong"


def test_a_clean_file_is_a_case_that_passes() -> None:
    root = ElementTree.fromstring(render(report(files=["a.agent"]), "junit"))
    assert root.get("tests") == "1" and root.get("failures") == "0"
