"""One finding a line, `file:line:column: severity code: message`, as many tools read it."""

from __future__ import annotations

from agentl.diagnostics.render.text import visible
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.summary import answer, summary


def render(report: Report, look: Look) -> str:
    """Return the lines, and the summary as the last one."""
    lines = [visible(each.render()) for each in report.live]
    if look.statistics:
        from agentl.linting.statistics import statistics_lines

        lines = statistics_lines(report)
    if look.answered:
        lines += [visible(f"{each.diagnostic.render()} ({answer(each)})") for each in report.answered]
    if look.problems:
        lines += [visible(each.render()) for each in report.problems]
    return "\n".join([*lines, summary(report)])
