"""The report of a check, as data: what every format takes."""

from __future__ import annotations

import json

from agentl.diagnostics import Diagnostic, FileFacts, Source, Suppression
from agentl.linting.checking import Input, check_all
from agentl.linting.rendering import render
from agentl.linting.report import Report
from agentl.messages import command as messages

CLEAN = b"AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
ERROR = b"AGENT lamp {\n  GOAL { a.b }\n  PLAN p WHEN a.b { ligth() }\n}\n"
UNREADABLE = Diagnostic(messages.CANNOT_READ, {"path": "b.agent", "reason": "denied"}, source=Source("", "b.agent"))


def found(report: Report) -> list[tuple[str, str]]:
    return [(finding.path, finding.diagnostic.code) for finding in report.findings]


def test_a_report_holds_files_findings_and_counts() -> None:
    report = check_all([Input("a.agent", CLEAN), Input("c.agent", ERROR)])
    assert [(file.path, file.agents) for file in report.files] == [("a.agent", ("lamp",)), ("c.agent", ("lamp",))]
    assert found(report) == [("c.agent", "E001")]
    assert (report.counts.files, report.counts.agents, report.counts.policy_rules) == (2, 2, 1)
    assert (report.exit_code, report.profile) == (1, "reference")
    assert report.severities() == {"error": 1, "warning": 0, "info": 0}
    assert all(isinstance(file, FileFacts) and len(file.sha256 or "") == 64 for file in report.files)


def test_a_path_that_could_not_be_read_is_a_problem_and_stops_no_other() -> None:
    report = check_all([UNREADABLE, Input("a.agent", ERROR), Input("c.agent", ERROR)])
    assert (report.exit_code, report.problems) == (2, (UNREADABLE,))
    assert found(report) == [("a.agent", "E001"), ("c.agent", "E001")]
    assert [each["file"] for each in json.loads(render(report, "json"))["findings"]] == [
        "a.agent",
        "b.agent",
        "c.agent",
    ]


def test_nothing_checked_is_never_clean() -> None:
    report = check_all([])
    assert (report.exit_code, report.counts.files) == (2, 0)


def test_a_fingerprint_knows_no_line_and_no_other_file() -> None:
    (alone,) = check_all([Input("c.agent", ERROR)]).findings
    first, second = check_all([Input("a.agent", ERROR), Input("c.agent", b"\n# moved\n\n" + ERROR)]).findings
    assert first.fingerprint == second.fingerprint == alone.fingerprint
    twice = check_all([Input("c.agent", ERROR.replace(b"ligth()", b"ligth() ligth()"))]).findings
    assert len({finding.fingerprint for finding in twice}) == 2


def test_a_finding_is_live_until_somebody_answers_it() -> None:
    (finding,) = check_all([Input("c.agent", ERROR)]).findings
    assert finding.is_live
    assert not finding._replace(suppressed=Suppression("comment", "why")).is_live
    assert not finding._replace(baseline=True).is_live
