"""Workflow commands of GitHub: each finding becomes an annotation at its line (tooling.md §11.3)."""

from __future__ import annotations

from agentl.diagnostics import Diagnostic
from agentl.diagnostics.render.text import visible
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.repository import STANDARD_INPUT_NAME, shown_path
from agentl.linting.summary import summary

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, look: Look) -> str:
    """Return one command a line, the worst first, since only ten of a level are shown; then the summary."""
    return "\n".join([*map(_command, report.worst_first()), summary(report)])


def _command(diagnostic: Diagnostic) -> str:
    properties = {**_place(diagnostic), "title": f"{diagnostic.code} {diagnostic.definition.name}"}
    said = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = "\n".join(filter(None, (diagnostic.text(), diagnostic.help())))
    return f"::{_LEVELS[diagnostic.severity]} {said}::{_data(_shown(message))}"


def _place(diagnostic: Diagnostic) -> dict[str, str | int]:
    source, start, end = diagnostic.source, diagnostic.start, diagnostic.end
    if source is None or source.name == STANDARD_INPUT_NAME:
        return {}
    place: dict[str, str | int] = {"file": shown_path(source.name)}
    if start is not None and end is not None:
        place |= {"line": start.line, "endLine": end.line}
        # Columns are taken only of annotations within one line.
        if start.line == end.line:
            place |= {"col": start.column, "endColumn": end.column}
    return place


def _shown(text: str) -> str:
    """Return the text with what would act on the terminal of the log shown by its number; line ends stay."""
    return "".join(each if each in "\r\n" else visible(each) for each in text)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
