"""The report as JUnit XML (tooling.md §11.4)."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from agentl.scenarios.reports.junit import render_junit
from agentl.scenarios.reports.report import Report, play_suites
from agentl.scenarios.suite import suite_of
from tests.scenarios.reports.files import TEXTS, nothing, report, unreadable

# What the schema common to the readers of JUnit files allows: element -> (attributes, children in order).
ALLOWED: dict[str, tuple[set[str], list[str]]] = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, ["testsuite"]),
    "testsuite": ({"name", "tests", "failures", "errors", "time"}, ["properties", "testcase"]),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, []),
    "testcase": ({"name", "classname", "time"}, ["error", "failure", "system-out"]),
    "error": ({"type", "message"}, []),
    "failure": ({"type", "message"}, []),
    "system-out": (set(), []),
}


def document(*names: str, **more: object) -> Element:
    return fromstring(render_junit(report(*names, **more)))  # type: ignore[arg-type]


def check(element: Element) -> None:
    attributes, children = ALLOWED[element.tag]
    assert set(element.attrib) == attributes, element.tag
    found = [child.tag for child in element]
    assert set(found) <= set(children)
    assert found == sorted(found, key=children.index)
    if element.tag in ("testsuites", "testsuite"):
        cases = list(element.iter("testcase"))
        assert int(element.attrib["tests"]) == len(cases)
        assert int(element.attrib["failures"]) == len([case for case in cases if case.find("failure") is not None])
        assert int(element.attrib["errors"]) == len([case for case in cases if case.find("error") is not None])
    for child in element:
        check(child)


@pytest.mark.parametrize("name", [*TEXTS, "colours.agent"])
def test_every_document_is_valid(name: str) -> None:
    check(document(name))
    check(document(name, allow_empty=True))
    check(document(name, problems=(unreadable(), nothing())))


def test_a_suite_is_an_agent_and_a_case_a_scenario() -> None:
    lamp, idle = document("colours.agent").findall("testsuite")
    assert [(suite.get("name"), suite.get("tests")) for suite in (lamp, idle)] == [("lamp", "7"), ("idle", "1")]
    assert lamp.find("properties/property[@name='file']").get("value") == "colours.agent"  # type: ignore[union-attr]
    marks = {
        case.get("name"): next((child.tag for child in case if child.tag != "system-out"), "")
        for case in lamp.findall("testcase")
    }
    assert marks == {
        "dark": "",
        "bright": "",
        "silent": "",
        "both": "",
        "wrong": "failure",
        "unposed": "error",
        "invalid": "error",
    }


def test_the_trace_is_in_system_out() -> None:
    case = document("colours.agent").find(".//testcase[@name='dark']")
    assert case is not None
    assert (case.findtext("system-out") or "").startswith("[1] TICK\n[1] OBSERVE room.dark = yes")


@pytest.mark.parametrize("name", ["empty.agent", "refused.agent", "grammar.agent"])
def test_what_was_not_tested_is_an_error_never_silence(name: str) -> None:
    root = document(name)
    assert (root.get("tests"), root.get("errors")) == ("1", "1")


def test_allowed_empty_agents_are_suites_without_cases() -> None:
    assert document("empty.agent", allow_empty=True).get("tests") == "0"


def test_characters_that_xml_cannot_hold_are_shown_by_their_number() -> None:
    answer = "]]>\u0001<&\u0007\u202e"
    text = (
        f'AGENT a {{ TOOL t {{ RISK LOW }} SCENARIO s {{ GIVEN {{ operator.answer = "{answer}" }} EXPECT CALL t }} }}'
    )
    rendered = render_junit(Report(play_suites([suite_of(text.encode(), "we,ird\x01<1>.agent")])))
    check(fromstring(rendered))
    assert rendered.isascii()
    assert "we,ird\\u{0001}&lt;1&gt;.agent" in rendered
