"""One JSON document, schema `agentl.findings/1` (tooling.md §11.1)."""

from __future__ import annotations

from dataclasses import asdict

from agentl.diagnostics import fingerprinted
from agentl.diagnostics.render.findings_json import render_findings
from agentl.linting.report import Report


def render(report: Report) -> str:
    """Return the document without a final newline; problems are findings there too."""
    return render_findings(
        report.files,
        sorted((*fingerprinted(report.problems), *report.findings), key=lambda finding: finding.place),
        command="check",
        version=report.version,
        profile=report.profile,
        counts=asdict(report.counts),
        exit_code=report.exit_code,
    )
