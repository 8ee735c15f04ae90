"""Markdown: a table for a comment on a pull request, or for the summary page of a job."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentl.diagnostics import Diagnostic, Severity
from agentl.diagnostics.render.text import visible
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.repository import shown_path
from agentl.linting.statistics import rule_counts
from agentl.linting.summary import summary
from agentl.messages import Text, findings
from agentl.messages import reports as messages

_SEVERITIES: dict[Severity, Text] = {"error": findings.ERROR, "warning": findings.WARNING, "info": findings.INFO}
# Whatever could begin or end something in Markdown; a bar ends a cell even in code.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|~&#$@]")


def render(report: Report, look: Look) -> str:
    """Return a heading, the table of findings or of statistics, and the summary."""
    return _joined(report, _statistics(report) if look.statistics else _findings(report))


def within(report: Report, room: int) -> str:
    """Return what `render` does in at most about `room` characters: the last rows are counted in place of shown."""
    header, *rows = _findings(report) or [""]
    kept: list[str] = []
    for row in rows:
        room -= len(row) + 1
        if room < 0:
            more = messages.LEFT_OUT.text(count=len(rows) - len(kept))
            return _joined(report, [header, *kept, "", more])
        kept.append(row)
    return _joined(report, [header, *kept])


def _joined(report: Report, lines: list[str]) -> str:
    found = [line for line in lines if line] and "\n".join(lines)
    return "\n\n".join((f"### {messages.TITLE.text()}", found or messages.CLEAN.text(), escaped(summary(report))))


def _findings(report: Report) -> list[str]:
    rows = [_row(diagnostic) for diagnostic in report.worst_first()]
    heads = (messages.SEVERITY, messages.PLACE, messages.RULE, messages.FINDING)
    return _table(heads, rows)


def _row(diagnostic: Diagnostic) -> tuple[str, ...]:
    said = " — ".join(filter(None, (diagnostic.text(), diagnostic.help())))
    return _SEVERITIES[diagnostic.severity].text(), _place(diagnostic), diagnostic.code, said


def _statistics(report: Report) -> list[str]:
    rows = [(row.code, row.name, str(row.count), str(row.fixable)) for row in rule_counts(report)]
    return _table((messages.RULE, messages.FINDING, messages.COUNT, messages.FIXABLE), rows)


def _table(heads: Sequence[Text], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, the head with the line below it as one; none without rows."""
    if not rows:
        return []
    head = f"{_line([each.text() for each in heads])}\n{_line(['---'] * len(heads))}"
    return [head, *(_line([escaped(cell) for cell in row]) for row in rows)]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _place(diagnostic: Diagnostic) -> str:
    if diagnostic.source is None:
        return ""
    start = diagnostic.start
    path = shown_path(diagnostic.source.name)
    return path if start is None else f"{path}:{start.line}:{start.column}"


def escaped(text: str) -> str:
    """Return foreign text so that it reads as it is in one cell: no markup, no HTML, no line end."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found.group())};", visible(text))
