"""Words of every report for people: the line that ends it, and what answers a finding that does not count."""

from __future__ import annotations

from agentl.diagnostics import Finding
from agentl.linting.report import Report
from agentl.messages import command as messages
from agentl.messages import linting


def summary(report: Report) -> str:
    """Return the counts of a report in one line."""
    severities = report.severities()
    said = messages.CHECK_SUMMARY.text(
        **report.counts._asdict(), errors=severities["error"], warnings=severities["warning"]
    )
    known = report.counts.baseline
    return said + (linting.KNOWN_COUNT.text(count=known) if known else "")


def answer(finding: Finding) -> str:
    """Return why a finding does not count: the reason of its suppression, else that it was known."""
    if finding.suppressed is None:
        return linting.KNOWN.text()
    reason, until = finding.suppressed.reason, finding.suppressed.until
    said = linting.SUPPRESSED_UNTIL if until else linting.SUPPRESSED
    return said.text(reason=reason, until=until) if until else said.text(reason=reason)
