"""JUnit XML: a suite is a file, a case is a rule that found something there (tooling.md §11.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agentl.diagnostics import Diagnostic, Finding
from agentl.diagnostics.render.text import render_text
from agentl.diagnostics.render.xml_text import xml_text
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.repository import shown_path
from agentl.messages import reports as messages


def render(report: Report, look: Look) -> str:
    """Return the document as ASCII.

    A rule fails in a file where something it found makes the check fail, is skipped where all of it is answered by a
    comment or the baseline, and passes else, with what it found as output. A file without findings is one case that
    passes.
    """
    root = Element("testsuites", name="agentl check")
    by_file: dict[str, list[Finding]] = {file.path: [] for file in report.files}
    for finding in report.all_findings:
        by_file.setdefault(finding.path, []).append(finding)
    for path, findings in sorted(by_file.items()):
        _suite(root, path, findings, report)
    _count(root)
    properties = Element("properties")
    for name, count in (*report.counts._asdict().items(), *report.severities().items()):
        SubElement(properties, "property", name=name, value=str(count))
    root.insert(0, properties)
    indent(root)
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")


def _suite(root: Element, path: str, findings: Sequence[Finding], report: Report) -> None:
    name = xml_text(shown_path(path)) if path else "agentl"
    suite = SubElement(root, "testsuite", name=name)
    if not findings:
        SubElement(suite, "testcase", classname=name, name="check", time="0.000")
    for code, found in groupby(sorted(findings, key=_code), key=_code):
        case = SubElement(suite, "testcase", classname=name, name=code, time="0.000")
        if path:
            case.set("file", name)
        _judge(case, list(found), report)
    _count(suite)


def _judge(case: Element, findings: Sequence[Finding], report: Report) -> None:
    live = [finding.diagnostic for finding in findings if finding.is_live]
    failing = [finding.diagnostic for finding in findings if report.fails(finding)]
    if failing:
        first = failing[0]
        failure = SubElement(case, "failure", type=first.code, message=xml_text(first.text()))
        failure.text = _shown(live)
    elif live:
        SubElement(case, "system-out").text = _shown(live)
    else:
        reasons = [each.suppressed.reason if each.suppressed else messages.KNOWN_BEFORE.text() for each in findings]
        SubElement(case, "skipped", message=xml_text("; ".join(dict.fromkeys(reasons))))


def _code(finding: Finding) -> str:
    return finding.diagnostic.code


def _shown(diagnostics: Iterable[Diagnostic]) -> str:
    return xml_text(render_text(diagnostics))


def _count(element: Element) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", "0")
    element.set("skipped", str(len(list(element.iter("skipped")))))
    element.set("time", "0.000")
