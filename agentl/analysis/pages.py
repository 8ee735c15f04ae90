"""Pages: what a rule finds, why it matters and what is better, from the Markdown file beside the rule.

`agentl explain`, the documentation and machine formats all take them from here (tooling.md §17). A file begins with the
name and code of its message. The sections `what`, `why` and `suppress` have a paragraph `en:` and one `fr:`; an error
has no `suppress`. The sections `example` and `better` hold one program each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agentl.analysis import rules as folder
from agentl.analysis.registry import all_rules
from agentl.analysis.rule import Rule
from agentl.messages import Message

_TITLE = re.compile(r"# (?P<name>[a-z0-9-]+) \((?P<code>[A-Z]\d{3})\)")
_SECTION = re.compile(r"^## (\w+)$", re.MULTILINE)
_PARAGRAPH = re.compile(r"^(en|fr): (.*?)(?=\n(?:en|fr): |\Z)", re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"^```agentl\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Both = Mapping[str, str]
"""A text by language, "en" and "fr"."""


@dataclass(frozen=True, slots=True)
class Page:
    """`suppress` is None for an error, which cannot be suppressed. `group` is the folder of the rule."""

    message: Message
    rule: Rule
    group: str
    what: Both
    why: Both
    example: str
    better: str
    suppress: Both | None


def page_of(code: str) -> Page | None:
    """Return the page of a code, None when no rule reports it."""
    for rule in all_rules():
        for message in rule.messages:
            if message.code == code:
                return _read(rule, message)
    return None


def all_pages() -> Iterator[Page]:
    """Yield every page, by code."""
    for message in sorted((m for rule in all_rules() for m in rule.messages), key=lambda each: each.code):
        page = page_of(message.code)
        assert page is not None
        yield page


def _read(rule: Rule, message: Message) -> Page:
    path = page_path(rule)
    head, *parts = _SECTION.split(path.read_text(encoding="utf-8"))
    title = _TITLE.match(head)
    assert title is not None and title["code"] == message.code, path
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return Page(
        message,
        rule,
        path.parent.name,
        _both(sections["what"]),
        _both(sections["why"]),
        _program(sections["example"]),
        _program(sections["better"]),
        _both(sections["suppress"]) if "suppress" in sections else None,
    )


def page_path(rule: Rule) -> Path:
    """Return the file that holds the page of a rule."""
    module = rule.check.__module__.removeprefix(f"{folder.__name__}.")
    return Path(folder.__path__[0], *module.split(".")).with_suffix(".md")


def _both(section: str) -> Both:
    return {language: " ".join(text.split()) for language, text in _PARAGRAPH.findall(section)}


def _program(section: str) -> str:
    found = _PROGRAM.search(section)
    assert found is not None, section
    return found[1]
