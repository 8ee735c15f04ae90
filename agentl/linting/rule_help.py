"""RuleHelp: what a code host shows beside a finding, from the page of its rule, or from its message without one."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.analysis.page_text import as_markdown, as_text, template
from agentl.diagnostics import Severity
from agentl.linting.pages import page_of
from agentl.linting.selection import is_error
from agentl.messages import Message, current_language


@dataclass(frozen=True, slots=True)
class RuleHelp:
    """`short` is a sentence, `full` a paragraph, `text` and `markdown` the whole page, in the current language."""

    code: str
    name: str
    severity: Severity
    short: str
    full: str
    text: str
    markdown: str
    tags: tuple[str, ...]


def rule_help(message: Message) -> RuleHelp:
    """Return the help of a code."""
    page = page_of(message.code)
    short = template(message)
    return RuleHelp(
        message.code,
        message.name,
        "error" if is_error(message.code) else "warning",
        short,
        short if page is None else page.what[current_language()],
        as_text(message, page),
        as_markdown(message, page),
        () if page is None else (page.group,),
    )
