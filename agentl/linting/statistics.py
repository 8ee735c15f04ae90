"""Statistics: how often each rule found something, and how much of it can be fixed."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.linting.report import Report
from agentl.messages import reports as messages


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How many live findings a rule has; of these, how many have a fix and how many a safe one."""

    code: str
    name: str
    count: int
    fixable: int
    safe: int


def rule_counts(report: Report) -> tuple[RuleCount, ...]:
    """Return a count for each rule that found something, the most frequent first, then by code."""
    counts: dict[str, RuleCount] = {}
    for finding in report.live:
        before = counts.get(finding.code) or RuleCount(finding.code, finding.definition.name, 0, 0, 0)
        counts[finding.code] = RuleCount(
            before.code,
            before.name,
            before.count + 1,
            before.fixable + bool(finding.fixes),
            before.safe + any(fix.safe for fix in finding.fixes),
        )
    return tuple(sorted(counts.values(), key=lambda each: (-each.count, each.code)))


def statistics_lines(report: Report) -> list[str]:
    """Return the counts as lines for a terminal, with the share that can be fixed last; none without findings."""
    rows = rule_counts(report)
    if not rows:
        return []
    lines = [
        messages.STATISTICS_LINE.text(count=row.count, code=row.code, name=row.name, fixable=row.fixable)
        for row in rows
    ]
    count, fixable = sum(row.count for row in rows), sum(row.fixable for row in rows)
    lines.append(messages.STATISTICS_TOTAL.text(count=count, fixable=fixable, share=round(100 * fixable / count)))
    return lines
