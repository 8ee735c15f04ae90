"""What can be written at a place: the words that the grammar accepts there, and the names that can be meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types
from lsprotocol.types import CompletionItemKind

from agentl.diagnostics import Span
from agentl.lsp.candidates import Candidate, Candidates
from agentl.lsp.describing import describe
from agentl.lsp.document import Document
from agentl.lsp.expecting import Expecting
from agentl.lsp.index import Subject
from agentl.lsp.names import Kind, ScopeId
from agentl.lsp.session import Session

_KINDS = {
    Kind.AGENT: CompletionItemKind.Class,
    Kind.EVENT: CompletionItemKind.Event,
    Kind.FUNCTION: CompletionItemKind.Function,
    Kind.GOAL: CompletionItemKind.Constant,
    Kind.HYPOTHESIS: CompletionItemKind.Variable,
    Kind.INPUT: CompletionItemKind.Property,
    Kind.MESSAGE: CompletionItemKind.Event,
    Kind.MODULE: CompletionItemKind.Module,
    Kind.OUTPUT: CompletionItemKind.Field,
    Kind.PATH: CompletionItemKind.Variable,
    Kind.PLAN: CompletionItemKind.Method,
    Kind.TOOL: CompletionItemKind.Function,
    Kind.TYPE: CompletionItemKind.TypeParameter,
}


def complete(session: Session, params: types.CompletionParams) -> types.CompletionList:
    """Return names first, then words. Names are those of the last good state."""
    document = session.known(params.text_document.uri)
    items: list[types.CompletionItem] = []
    if document is None:
        return types.CompletionList(is_incomplete=False, items=items)
    offset = document.text.lines.offset(params.position)
    expecting = Expecting(document.text.source.text, offset)
    if not expecting.is_in_text:
        at = document.text.lines.range(Span(expecting.start, offset))
        seen = set()
        for candidate, scope in _names(session, document, expecting, params):
            if candidate.text not in seen:
                seen.add(candidate.text)
                items.append(_item(session, document, candidate, scope, at, len(items)))
        items += (_word(word, at) for word in expecting.words if word not in seen)
    return types.CompletionList(is_incomplete=False, items=items)


def _names(
    session: Session, document: Document, expecting: Expecting, params: types.CompletionParams
) -> Iterator[tuple[Candidate, ScopeId]]:
    view = session.view(document.uri)
    if view is None:
        return
    scope = view.index.scope_at(0, view.offset(params.position))
    index, words = view.index, view.snapshot.words
    if scope[1] < 0 and view.snapshot.serial != document.serial:
        # An agent that was begun since.
        index, words = document.text.index, {}
        scope = index.scope_at(0, expecting.start)
    for candidate in Candidates(index, words, scope, expecting).all():
        yield candidate, scope


def _item(
    session: Session, document: Document, candidate: Candidate, scope: ScopeId, at: types.Range, place: int
) -> types.CompletionItem:
    kind = candidate.kind
    text, has_places = candidate.text, False
    if kind is Kind.INPUT:
        text = f"{text} = "
    elif candidate.is_call and session.has_snippets:
        inside = ", ".join(f"{name} = ${{{number}}}" for number, name in enumerate(candidate.arguments, 1))
        text, has_places = f"{text}({inside or '$1'})", True
    data: dict[str, Any] | None = None
    if kind is not None:
        data = {
            "uri": document.uri,
            "kind": kind.name,
            "text": candidate.text,
            "owner": candidate.owner,
            "scope": scope,
        }
    return types.CompletionItem(
        label=candidate.text,
        kind=_KINDS[kind] if kind is not None else CompletionItemKind.EnumMember,
        detail=_detail(candidate),
        sort_text=f"1{place:05}",
        insert_text_format=types.InsertTextFormat.Snippet if has_places else None,
        text_edit=types.TextEdit(at, text),
        data=data,
    )


def _detail(candidate: Candidate) -> str | None:
    if candidate.kind is Kind.TOOL and candidate.is_call:
        return f"TOOL ({', '.join(candidate.arguments)})"
    return candidate.kind.value if candidate.kind is not None else None


def _word(word: str, at: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=word, kind=CompletionItemKind.Keyword, sort_text=f"2{word}", text_edit=types.TextEdit(at, word)
    )


def resolve(session: Session, item: types.CompletionItem) -> types.CompletionItem:
    """Add what is known of a name, when the editor is about to show it."""
    data = item.data if isinstance(item.data, dict) else {}
    view = session.view(str(data.get("uri")))
    kind = Kind.__members__.get(str(data.get("kind")))
    scope = data.get("scope")
    if view is None or kind is None or not isinstance(scope, list | tuple) or len(scope) != 2:
        return item
    text, owner = str(data.get("text")), str(data.get("owner"))
    name = text.rpartition(".")[2] if kind is Kind.OUTPUT else text
    said = describe(view, Subject(kind, name, owner, (scope[0], scope[1])))
    if said:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, said)
    return item


HANDLERS = {
    types.TEXT_DOCUMENT_COMPLETION: (
        complete,
        types.CompletionOptions(trigger_characters=["."], resolve_provider=True),
    ),
    types.COMPLETION_ITEM_RESOLVE: (resolve, None),
}
