"""What stands at a place: the contract of a tool, who writes and reads a path, what a guard reads, a finding's page."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from agentl.diagnostics import Diagnostic, Span
from agentl.linting.pages import page_of
from agentl.lsp.describing import describe, describe_condition, describe_rule
from agentl.lsp.session import Session
from agentl.lsp.tree import Branch
from agentl.lsp.view import View
from agentl.messages import current_language
from agentl.messages import editor as messages

_RULES = {"approval_rule", "approval_rule_long", "rule"}
_CONDITIONS = {"WHEN", "IF", "UNTIL", "VERIFY", "CONDITION", "REQUIRES"}


def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    view = session.view(params.text_document.uri)
    if view is None:
        return None
    mention = view.mention_at(params.position)
    if mention is not None:
        span: Span | None = view.index.span(mention)
        text = describe(view, view.index.subject_of(mention))
    else:
        text, span = _at_word(view, params.position)
    parts = [text, *_pages(view, params.position)]
    said = "\n\n---\n\n".join(part for part in parts if part)
    if not said:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, said)
    return types.Hover(content, view.range(span) if span is not None else None)


def _at_word(view: View, position: types.Position) -> tuple[str, Span | None]:
    """Return what is said at a word of the language: at one that begins a rule, or a condition."""
    tree, offset = view.snapshot.tree, view.offset(position)
    token = tree.token_at(offset)
    around = list(tree.around(token)) if token is not None else []
    if token is None or not around:
        return "", None
    span = tree.span(token, token)
    inner = around[-1]
    rules = [branch for branch in (around[-2:] if inner.kind == "third" else [inner]) if branch.kind in _RULES]
    if rules:
        return describe_rule(view, 0, rules[0]), span
    if tree.tokens.texts[token] in _CONDITIONS and token in inner.parts:
        behind = inner.parts[inner.parts.index(token) + 1 :]
        condition = next((part for part in behind if isinstance(part, Branch)), None)
        return (describe_condition(view, 0, condition) if condition is not None else ""), span
    return "", None


def _pages(view: View, position: types.Position) -> Iterator[str]:
    """Yield the page of each finding at a position, as far as the present text has been checked."""
    present = view.document.present
    if present is None:
        return
    offset = view.document.text.lines.offset(position)
    codes = dict.fromkeys(
        finding.code
        for finding in present.known_findings
        if finding.source is present.source and _reaches(finding, offset)
    )
    for code in codes:
        page = page_of(code)
        if page is not None:
            language = current_language()
            yield "\n\n".join(
                (
                    f"**{code} {page.message.name}**",
                    f"{messages.WHAT_IT_FINDS.text()}: {page.what[language]}",
                    f"{messages.WHY_IT_MATTERS.text()}: {page.why[language]}",
                    f"{messages.BETTER.text()}:\n\n```agentl\n{page.better}```",
                )
            )


def _reaches(finding: Diagnostic, offset: int) -> bool:
    return finding.span is not None and finding.span.start <= offset <= finding.span.end


HANDLERS = {types.TEXT_DOCUMENT_HOVER: (hover, None)}
