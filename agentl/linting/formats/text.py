"""For people: each finding with the source line, then what was looked at and found."""

from __future__ import annotations

from agentl.diagnostics.render.text import render_text
from agentl.linting.formats import Look
from agentl.linting.report import Report
from agentl.linting.statistics import statistics_lines
from agentl.linting.summary import summary


def render(report: Report, look: Look) -> str:
    """Return blocks parted by empty lines, and the summary as the last line."""
    blocks = ["\n".join(statistics_lines(report))] if look.statistics else [render_text(report.live, look.color)]
    if look.problems:
        blocks.append(render_text(report.problems, look.color))
    return "\n\n".join([*filter(None, blocks), summary(report)])
