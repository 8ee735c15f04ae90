"""For people: each finding with the source line, then what was looked at and found."""

from __future__ import annotations

from agentl.diagnostics import Finding
from agentl.diagnostics.render.text import render_text
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.summary import answer, summary


def render(report: Report, look: Look) -> str:
    """Return blocks parted by empty lines, and the summary as the last line."""
    blocks = [render_text(report.live, look.color)]
    if look.statistics:
        from agentl.linting.statistics import statistics_lines

        blocks = ["\n".join(statistics_lines(report))]
    blocks += [_answered(each, look.color) for each in report.answered] if look.answered else []
    if look.problems:
        blocks.append(render_text(report.problems, look.color))
    return "\n\n".join([*filter(None, blocks), summary(report)])


def _answered(finding: Finding, color: bool) -> str:
    return f"{render_text([finding.diagnostic], color)}\n  {answer(finding)}"
