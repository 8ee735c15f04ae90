"""What can be done about findings: their fixes, a comment that suppresses them, every safe fix at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types
from lsprotocol.types import CodeActionKind

from agentl.diagnostics import Diagnostic, Edit, Fix, Span
from agentl.linting.selection import is_error
from agentl.lsp.document import Document
from agentl.lsp.findings import to_protocol
from agentl.lsp.session import Session
from agentl.messages import editor as messages

FIX_ALL = "source.fixAll.agentl"


async def actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return what can be done about the findings that a range touches, once the text has been checked."""
    document = session.documents.get(params.text_document.uri)
    snapshot = await session.checked(document) if document is not None else None
    if document is None or snapshot is None:
        return []
    own = [each for each in snapshot.findings if each.source is snapshot.source and each.span is not None]
    within = document.text.lines.span(params.range)
    touched = [each for each in own if _touches(each, within)]
    found = [
        *(action for finding in touched for action in _fixes(session, document, finding)),
        *_suppressions(session, document, touched),
        *_everything(document, own),
    ]
    return [action for action in found if _is_wanted(action, params.context.only)]


def _touches(finding: Diagnostic, within: Span) -> bool:
    return finding.span is not None and finding.span.start <= within.end and within.start <= finding.span.end


def _is_wanted(action: types.CodeAction, only: Iterable[CodeActionKind | str] | None) -> bool:
    """A kind stands for all that begin with it: `source` for `source.fixAll`."""
    kind = f"{_text(action.kind)}."
    return only is None or any(kind.startswith(f"{_text(each)}.") for each in only)


def _text(kind: CodeActionKind | str | None) -> str:
    return kind.value if isinstance(kind, CodeActionKind) else str(kind or "")


def _fixes(session: Session, document: Document, finding: Diagnostic) -> Iterator[types.CodeAction]:
    """Yield the fixes of a finding, the one to take first; what may change the meaning says so."""
    for number, fix in enumerate(sorted(finding.fixes, key=lambda each: not each.safe)):
        title = fix.title.text()
        yield types.CodeAction(
            title if fix.safe else messages.UNSAFE_FIX.text(title=title),
            kind=CodeActionKind.QuickFix,
            diagnostics=[to_protocol(finding, session.sources)],
            is_preferred=True if fix.safe and number == 0 else None,
            edit=_edit(document, fix.edits),
        )


def _suppressions(session: Session, document: Document, findings: Iterable[Diagnostic]) -> Iterator[types.CodeAction]:
    """Yield for each warning the comment that answers it, with a place for the reason (tooling.md §14)."""
    seen = set()
    for finding in findings:
        if is_error(finding.code) or not finding.code.startswith("W") or finding.span is None:
            continue
        edit = _comment(document, finding.span, finding.code)
        if (finding.code, edit) not in seen:
            seen.add((finding.code, edit))
            yield types.CodeAction(
                messages.SUPPRESS.text(code=finding.code),
                kind=CodeActionKind.QuickFix,
                diagnostics=[to_protocol(finding, session.sources)],
                edit=_edit(document, [edit]),
            )


def _comment(document: Document, span: Span, code: str) -> Edit:
    """Return a comment on a line of its own above the finding; never within a text that has several lines."""
    text, tokens = document.text.source.text, document.tree.tokens
    line = text.rfind("\n", 0, span.start) + 1
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        if start < line < end:
            line = text.rfind("\n", 0, start) + 1
    indent = text[line : len(text) - len(text[line:].lstrip(" \t"))]
    return Edit(Span(line, line), f"{indent}# ignore[{code}]: {messages.REASON_PLACEHOLDER.text()}\n")


def _everything(document: Document, findings: Iterable[Diagnostic]) -> Iterator[types.CodeAction]:
    """Yield the safe fixes of the whole document as one; of two that touch, the first."""
    edits: list[Edit] = []
    count = 0
    for fix in _safe(findings):
        if all(_is_apart(one, other) for one in fix.edits for other in edits):
            edits += fix.edits
            count += 1
    if count:
        yield types.CodeAction(messages.FIX_ALL.text(count=count), kind=FIX_ALL, edit=_edit(document, edits))


def _safe(findings: Iterable[Diagnostic]) -> Iterator[Fix]:
    for finding in findings:
        yield from [fix for fix in finding.fixes if fix.safe][:1]


def _is_apart(one: Edit, other: Edit) -> bool:
    return one.span.end < other.span.start or other.span.end < one.span.start


def _edit(document: Document, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    text = document.text
    changes = [types.TextEdit(text.lines.range(each.span), each.text.replace("\n", text.line_end)) for each in edits]
    return types.WorkspaceEdit(changes={document.uri: changes})


HANDLERS = {
    types.TEXT_DOCUMENT_CODE_ACTION: (
        actions,
        types.CodeActionOptions(code_action_kinds=[CodeActionKind.QuickFix, FIX_ALL]),
    )
}
