"""Pages: what a rule finds, why it matters and what is better, from the Markdown file beside the rule.

`agentl explain`, the documentation and machine formats all take them from here (tooling.md §17). A file begins with the
name and code of its message. The sections `what`, `why` and `suppress` have a paragraph `en:` and one `fr:`; an error
has no `suppress`. The sections `example` and `better` hold one program each; `manifest` holds the one beside both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from agentl.analysis import rules as folder
from agentl.analysis.at_hand import AtHand
from agentl.analysis.check import check
from agentl.analysis.registry import all_rules
from agentl.analysis.rule import Rule
from agentl.diagnostics import Diagnostic, Source
from agentl.messages import Message
from agentl.syntax.parser import parse

_TITLE = re.compile(r"# (?P<name>[a-z0-9-]+) \((?P<code>[A-Z]\d{3})\)")
_SECTION = re.compile(r"^## (\w+)$", re.MULTILINE)
_PARAGRAPH = re.compile(r"^(en|fr): (.*?)(?=\n(?:en|fr): |\Z)", re.MULTILINE | re.DOTALL)
_MANIFEST = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The names of inputs that are references where a page or a case speaks of them.
_REFERENCES = ("ref",)
_PROGRAM = re.compile(r"^```agentl\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PageProfile = Literal["reference", "ours", "strict", "sequential"]
Both = Mapping[str, str]
"""A text by language, "en" and "fr"."""


@dataclass(frozen=True, slots=True)
class Page:
    """`suppress` is None for an error, which cannot be suppressed. `group` is the folder of the rule.

    `manifest` is what stands beside both programs. `profile` is "reference" for what every profile says, "ours" for
    what "compat" does not, else the only one that says it. `check` finds everything in a program.
    """

    message: Message
    group: str
    profile: PageProfile
    check: Callable[[str], Iterable[Diagnostic]]
    what: Both
    why: Both
    example: str
    better: str
    suppress: Both | None
    manifest: str | None = None

    def findings(self, program: str) -> list[Diagnostic]:
        """Return the findings of this page's own code in a program."""
        return [found for found in self.check(program) if found.code == self.message.code]


def page_of(code: str) -> Page | None:
    """Return the page of a code, None when no rule reports it."""
    for rule in all_rules():
        for message in rule.messages:
            if message.code == code:
                path = page_path(rule)
                profile = _profile(rule, message)
                check_it = partial(_check_sequential, path) if profile == "sequential" else _check
                return read_page(path, message, path.parent.name, profile, check_it)
    return None


def all_pages() -> Iterator[Page]:
    """Yield every page, by code."""
    for message in sorted((m for rule in all_rules() for m in rule.messages), key=lambda each: each.code):
        page = page_of(message.code)
        assert page is not None
        yield page


def read_page(
    path: Path, message: Message, group: str, profile: PageProfile, check: Callable[[str], Iterable[Diagnostic]]
) -> Page:
    """Return the page of a message from its file."""
    head, *parts = _SECTION.split(path.read_text(encoding="utf-8"))
    title = _TITLE.match(head)
    assert title is not None and title["code"] == message.code, path
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return Page(
        message,
        group,
        profile,
        check,
        _both(sections["what"]),
        _both(sections["why"]),
        _program(sections["example"]),
        _program(sections["better"]),
        _both(sections["suppress"]) if "suppress" in sections else None,
        _manifest(sections.get("manifest", "")),
    )


def _check(program: str) -> Iterable[Diagnostic]:
    return check(parse(Source(program, "")), "strict")


def _check_sequential(path: Path, program: str) -> Iterable[Diagnostic]:
    """Check as for a run with the manifest of the page and without any decision at hand."""
    return check(parse(Source(program, "")), "sequential", at_hand=at_hand_of(path.read_text(encoding="utf-8")))


def at_hand_of(page: str) -> AtHand:
    """Return what is at hand where a text holds a manifest, or none: references are `inputs.ref…`, no decision."""
    found = _MANIFEST.search(page)
    contracts = None if found is None else frozenset(json.loads(found[1])["bindings"])
    return AtHand(contracts, _REFERENCES, lambda tool, arguments: False)


def _profile(rule: Rule, message: Message) -> PageProfile:
    if rule.profile in ("strict", "sequential"):
        return rule.profile
    return "reference" if message.code[1] in "01" else "ours"


def page_path(rule: Rule) -> Path:
    """Return the file that holds the page of a rule."""
    module = rule.check.__module__.removeprefix(f"{folder.__name__}.")
    return Path(folder.__path__[0], *module.split(".")).with_suffix(".md")


def _both(section: str) -> Both:
    return {language: " ".join(text.split()) for language, text in _PARAGRAPH.findall(section)}


def _manifest(section: str) -> str | None:
    found = _MANIFEST.search(section)
    return None if found is None else found[1]


def _program(section: str) -> str:
    found = _PROGRAM.search(section)
    assert found is not None, section
    return found[1]
