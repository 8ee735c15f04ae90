"""One JSON document, schema `agentl.findings/1` (tooling.md §11.1)."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from typing import Any

from agentl.diagnostics.render.findings_json import findings_document
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.statistics import rule_counts


def render(report: Report, look: Look) -> str:
    """Return the document, ASCII; `statistics` is a part of it only where it was asked for."""
    return json_module.dumps(document(report, look), indent=2)


def document(report: Report, look: Look) -> dict[str, Any]:
    """Return the document as data."""
    data = findings_document(
        report.files,
        report.all_findings,
        command="check",
        version=report.version,
        profile=report.profile,
        counts=report.counts._asdict(),
        exit_code=report.exit_code,
    )
    if look.statistics:
        data["statistics"] = [asdict(row) for row in rule_counts(report)]
    return data
