"""The line that ends every report for people: what was looked at, and what was found."""

from __future__ import annotations

from dataclasses import asdict

from agentl.linting.report import Report
from agentl.messages import command as messages


def summary(report: Report) -> str:
    """Return the counts of a report in one line."""
    severities = report.severities()
    return messages.CHECK_SUMMARY.text(
        **asdict(report.counts), errors=severities["error"], warnings=severities["warning"]
    )
