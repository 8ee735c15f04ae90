"""The report as one JSON document, schema `agentl.findings/1` (tooling.md §11.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agentl import __version__
from agentl.diagnostics import Diagnostic, FileFacts, Source, fingerprinted
from agentl.diagnostics.render.findings_json import findings_document
from agentl.messages import scenarios as messages
from agentl.scenarios.coverage import Coverage, percent
from agentl.scenarios.reports.report import Played, Report
from agentl.scenarios.reports.text import unmet


def render_document(report: Report, exit_code: int, *, trace: bool = False, coverage: bool = False) -> str:
    """Return the document: `summary.status` is one of STATUSES, and says which of the things behind one exit code.

    With `coverage`, `summary.coverage` is the percentage of all parts that was reached, None when there are none, and
    the section `coverage` has every part of every agent.
    """
    document = findings_document(
        [FileFacts(file.suite.name, file.suite.sha256, file.suite.agents) for file in report.files],
        fingerprinted(_findings(report)),
        command="test",
        version=__version__,
        profile="reference",
        counts={"status": report.status, **report.counts},
        exit_code=exit_code,
        scenarios=[_scenario(file.suite.name, played, trace) for file in report.files for played in file.played],
    )
    if coverage:
        coverages = report.coverages()
        document["summary"]["coverage"] = percent(coverages)
        document["coverage"] = [_coverage(each) for each in coverages]
    return json.dumps(document, indent=2)


def _coverage(coverage: Coverage) -> dict[str, Any]:
    parts = [
        {
            "kind": part.kind,
            "name": part.name,
            "text": part.text,
            "file": part.file,
            "line": part.line,
            "reached": coverage.has(part),
        }
        for part in coverage.parts
    ]
    return {"file": coverage.file, "agent": coverage.agent, "parts": parts}


def _findings(report: Report) -> Iterator[Diagnostic]:
    for file in report.files:
        yield from file.suite.errors
        for played in file.played:
            yield from played.result.findings
        if not report.allow_empty and file.suite.state == "ready":
            for agent in file.suite.empty_agents:
                yield no_scenario(agent, file.suite.name)
    yield from (problem.finding for problem in report.problems)


def no_scenario(agent: str, file: str) -> Diagnostic:
    """The finding about an agent that nothing tests."""
    return Diagnostic(messages.NO_SCENARIO, {"agent": agent}, source=Source("", file), agent=agent)


def _scenario(file: str, played: Played, trace: bool) -> dict[str, Any]:
    result = played.result
    data: dict[str, Any] = {
        "file": file,
        "line": played.case.line,
        "agent": result.agent,
        "name": result.name,
        "status": result.status,
        "ticks": result.ticks,
        "within": result.bound,
        "expected": [
            {"form": expected.form, "expression": expected.text, "met": expected.is_met, "tick": expected.tick}
            for expected in result.expected
        ],
        "failed": [
            {
                "form": expected.form,
                "expression": expected.text,
                "tick": expected.tick,
                "message": unmet(expected, result),
            }
            for expected in result.failed
        ],
        "calls": [{"tick": call.tick, "tool": call.tool, "call": call.text} for call in result.calls],
        "error": result.faults[0].text() if result.faults else None,
        "errors": [
            {"rule": fault.message.code, "name": fault.message.name, "message": fault.text(), "help": fault.help()}
            for fault in result.faults
        ],
        "duration": round(played.seconds, 6),
    }
    if trace:
        data["trace"] = result.trace.splitlines()
    return data
