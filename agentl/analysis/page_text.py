"""A page as text: for a terminal, as Markdown for sites and code hosts, or as data (tooling.md §17)."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from agentl.analysis.pages import Both, Page
from agentl.messages import Message, Text, current_language, findings, suppressing
from agentl.messages import explaining as messages

SCHEMA = "agentl.pages/1"
_WIDTH = 100
_MARGIN = "  "
_LANGUAGES = {messages.EXAMPLE: "agentl", messages.BETTER: "agentl", messages.MANIFEST: "json"}


def line_of(message: Message) -> str:
    """A message in one line of the list."""
    return f"{message.code}  {message.name}"


def as_text(message: Message, page: Page | None) -> str:
    """Return the page for a terminal; for a code without one what its message says."""
    lines = [_title(message, page)]
    for heading, body in _sections(message, page):
        lines += ["", heading.text()]
        if isinstance(body, str):
            lines.append(textwrap.fill(body, _WIDTH, initial_indent=_MARGIN, subsequent_indent=_MARGIN))
        else:
            lines += [f"{_MARGIN}{_MARGIN}{line}".rstrip() for line in body]
    return "\n".join(lines)


def as_markdown(message: Message, page: Page | None) -> str:
    """Return the page as Markdown, with the code as its first heading."""
    lines = [f"# {_title(message, page)}"]
    for heading, body in _sections(message, page):
        lines += ["", f"## {heading.text()}", ""]
        if isinstance(body, str):
            lines.append(textwrap.fill(body, _WIDTH))
        else:
            lines += [f"```{_LANGUAGES.get(heading, 'text')}", *body, "```"]
    return "\n".join(lines)


def document(asked: Iterable[tuple[Message, Page | None]]) -> str:
    """Return the pages as one JSON document, texts in the current language, placeholders left in messages."""
    pages = [_data(message, page) for message, page in asked]
    return json.dumps({"schema": SCHEMA, "language": current_language(), "pages": pages}, indent=2)


def _title(message: Message, page: Page | None) -> str:
    title = f"{message.code} {message.name}"
    if page is None:
        return title
    severity = findings.ERROR if _is_error(message) else findings.WARNING
    return f"{title} ({page.group}: {severity.text()}, {messages.IN_PROFILE[page.profile].text()})"


def _sections(message: Message, page: Page | None) -> Iterator[tuple[Text, str | list[str]]]:
    """Yield headings with a paragraph or with lines that keep their form."""
    if page is None:
        yield messages.SAYS, template(message)
        if message.help is not None:
            yield messages.HELPS, template(message.help)
        return
    yield messages.WHAT, _said(page.what)
    yield messages.WHY, _said(page.why)
    yield messages.EXAMPLE, page.example.splitlines()
    if page.manifest is not None:
        yield messages.MANIFEST, page.manifest.splitlines()
    yield messages.FOUND, list(_shown(page))
    yield messages.BETTER, page.better.splitlines()
    never = messages.NEVER_ELIGIBLE if page.profile == "sequential" else messages.NEVER_SUPPRESSED
    yield messages.SUPPRESS, never.text() if page.suppress is None else _said(page.suppress)


def _data(message: Message, page: Page | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "code": message.code,
        "name": message.name,
        "message": template(message),
        "help": "" if message.help is None else template(message.help),
        "page": None,
    }
    if page is not None:
        data["page"] = {
            "group": page.group,
            "severity": "error" if _is_error(message) else "warning",
            "profile": page.profile,
            "what": _said(page.what),
            "why": _said(page.why),
            "example": page.example,
            "manifest": page.manifest,
            "better": page.better,
            "suppress": None if page.suppress is None else _said(page.suppress),
        }
    return data


def _shown(page: Page) -> Iterator[str]:
    for found in page.findings(page.example):
        place = found.start
        yield f"{place.line}:{place.column}: {found.text()}" if place is not None else found.text()
        if found.help():
            yield f"{_MARGIN}{findings.HELP.text()}: {found.help()}"


def _is_error(message: Message) -> bool:
    return not message.code.startswith("W") and message not in suppressing.WARNINGS


def _said(both: Both) -> str:
    return both[current_language()]


def template(text: Text) -> str:
    """Return a text with its placeholders as they are."""
    template = text.fr if current_language() == "fr" else text.en
    return template.replace("{{", "{").replace("}}", "}")
