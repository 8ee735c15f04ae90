"""The report as JUnit XML: a suite is an agent, a case is a scenario (tooling.md §11.4)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agentl.diagnostics import Diagnostic
from agentl.diagnostics.render.xml_text import xml_text
from agentl.scenarios.reports.document import no_scenario
from agentl.scenarios.reports.report import Played, Report, TestedFile
from agentl.scenarios.reports.text import fault_line, reasons, unmet


def render_junit(report: Report) -> str:
    """Return the document as ASCII. A failed expectation is a failure; what kept a scenario from being played an error.

    What could not be tested at all is a case with an error, so that no reader takes silence for success.
    """
    root = Element("testsuites", name="agentl test")
    for file in report.files:
        if file.suite.state != "ready":
            _not_tested(root, file.suite.name, file.suite.name, file.suite.errors)
            continue
        for agent in file.suite.agents:
            _suite(root, file, agent, report.allow_empty)
    for problem in report.problems:
        name = problem.finding.source.name if problem.finding.source is not None else ""
        _not_tested(root, name, name, [problem.finding])
    _count(root, list(root.iter("testcase")))
    indent(root)
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")


def _suite(root: Element, file: TestedFile, agent: str, allow_empty: bool) -> None:
    if agent in file.suite.empty_agents and not allow_empty:
        _not_tested(root, agent, file.suite.name, [no_scenario(agent, file.suite.name)])
        return
    suite = _new_suite(root, agent, file.suite.name)
    for played in file.played:
        if played.case.agent == agent:
            _case(suite, played)
    _count(suite, list(suite.iter("testcase")))


def _new_suite(root: Element, name: str, file: str) -> Element:
    suite = SubElement(root, "testsuite", name=xml_text(name))
    SubElement(SubElement(suite, "properties"), "property", name="file", value=xml_text(file))
    return suite


def _case(suite: Element, played: Played) -> None:
    result = played.result
    case = SubElement(
        suite, "testcase", classname=xml_text(result.agent), name=xml_text(result.name), time=f"{played.seconds:.3f}"
    )
    details = "\n".join(reasons(result))
    if result.findings:
        _mark(case, "error", result.findings[0].code, result.findings[0].text(), details)
    elif result.faults:
        _mark(case, "error", result.faults[0].message.code, fault_line(result.faults[0]), details)
    elif result.failed:
        _mark(case, "failure", result.failed[0].form, unmet(result.failed[0], result), details)
    if result.trace:
        SubElement(case, "system-out").text = xml_text(result.trace)


def _mark(case: Element, kind: str, type: str, message: str, details: str) -> None:
    SubElement(case, kind, type=type, message=xml_text(message)).text = xml_text(details)


def _not_tested(root: Element, name: str, file: str, findings: Sequence[Diagnostic]) -> None:
    suite = _new_suite(root, name, file)
    case = SubElement(suite, "testcase", classname=xml_text(name), name="test", time="0.000")
    first = findings[0]
    _mark(case, "error", first.code, first.text(), "\n".join(finding.render() for finding in findings))
    _count(suite, [case])


def _count(element: Element, cases: list[Element]) -> None:
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    element.set("errors", str(sum(case.find("error") is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
