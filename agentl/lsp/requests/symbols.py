"""The outline of a document: agents with their sections, tools with their fields, plans with their steps."""

from __future__ import annotations

from lsprotocol import types
from lsprotocol.types import SymbolKind

from agentl.lsp.document import Document
from agentl.lsp.session import Session
from agentl.lsp.tree import Branch, Tree

# Rules that declare something: what it is to an editor, and which part is its name; None: the first token is.
_SHOWN: dict[str, tuple[SymbolKind, int | None]] = {
    "agent": (SymbolKind.Class, 1),
    "agent_loop": (SymbolKind.Event, None),
    "belief": (SymbolKind.Variable, 0),
    "belief_section": (SymbolKind.Struct, None),
    "decide": (SymbolKind.Struct, None),
    "event": (SymbolKind.Event, 1),
    "goal": (SymbolKind.Constant, 1),
    "hypothesis": (SymbolKind.Boolean, 1),
    "input": (SymbolKind.Field, 0),
    "memory": (SymbolKind.Struct, None),
    "module": (SymbolKind.Module, 1),
    "observe_section": (SymbolKind.Struct, None),
    "observer": (SymbolKind.Variable, 0),
    "on_message": (SymbolKind.Event, 2),
    "on_verify_fail": (SymbolKind.Event, None),
    "open_next_observer": (SymbolKind.Variable, 1),
    "open_observer": (SymbolKind.Variable, 1),
    "parameter": (SymbolKind.Field, 0),
    "plan_of_statements": (SymbolKind.Method, 1),
    "plan_of_steps": (SymbolKind.Method, 1),
    "planner": (SymbolKind.Struct, None),
    "policy": (SymbolKind.Struct, None),
    "scenario": (SymbolKind.Object, 1),
    "short_tool": (SymbolKind.Function, 0),
    "short_tool_bare": (SymbolKind.Function, 0),
    "step_braced": (SymbolKind.Key, 1),
    "step_open": (SymbolKind.Key, 1),
    "tool": (SymbolKind.Function, 1),
    "utility": (SymbolKind.Struct, None),
}
# Nothing that is shown stands below these.
_STATEMENTS = {"statements", "goal_condition", "rule"}


def symbols(session: Session, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    document = session.documents.get(params.text_document.uri)
    if document is None:
        return []
    tree = document.tree
    top: list[types.DocumentSymbol] = []
    stack = [(root, top) for root in reversed(tree.roots)]
    while stack:
        branch, siblings = stack.pop()
        if branch.kind in _SHOWN:
            symbol, children = _symbol(document, tree, branch)
            siblings.append(symbol)
            siblings = children
        stack.extend((each, siblings) for each in reversed(list(branch)))
    return top


def _symbol(document: Document, tree: Tree, branch: Branch) -> tuple[types.DocumentSymbol, list[types.DocumentSymbol]]:
    kind, part = _SHOWN[branch.kind]
    named = branch.parts[part] if part is not None else branch.first
    first, last = (named.first, named.last) if isinstance(named, Branch) else (named, named)
    if named is None:
        first = last = branch.first
    text = " ".join(tree.source.text[slice(*tree.span(first, last))].split())
    range_of = document.text.lines.range
    children: list[types.DocumentSymbol] = []
    symbol = types.DocumentSymbol(
        name=text,
        detail=_WORDS.get(branch.kind),
        kind=kind,
        range=range_of(tree.span(branch.first, branch.last)),
        selection_range=range_of(tree.span(first, last)),
        children=children,
    )
    return symbol, children


_WORDS = {
    kind: kind.partition("_")[0].upper()
    for kind in ("agent", "event", "goal", "hypothesis", "module", "plan_of_statements", "plan_of_steps", "scenario")
}

HANDLERS = {types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (symbols, None)}
