"""What can be folded away, and what is selected step by step around a place."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from agentl.diagnostics import Source, Span
from agentl.lsp.document import Document
from agentl.lsp.session import Session
from agentl.lsp.tree import Tree

# Of what stands around a place, as many are selected one by one; a message as deep as the nesting could not be sent.
_MOST_AROUND = 100
_CLOSES = {"}": "{", "]": "[", ")": "("}


def folds(session: Session, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Return brackets that reach over lines, and comments: also of a text that is wrong."""
    document = session.documents.get(params.text_document.uri)
    if document is None:
        return []
    tree = document.tree
    found = {start: types.FoldingRange(start, end) for start, end in _brackets(tree)}
    comment = types.FoldingRangeKind.Comment
    for start, end in _comments(tree.source, tree.tokens.comments):
        found.setdefault(start, types.FoldingRange(start, end, kind=comment))
    return [found[start] for start in sorted(found)]


def _brackets(tree: Tree) -> Iterator[tuple[int, int]]:
    """Yield the first and last line (from 0) that hide what stands in brackets; the closing one stays in sight."""
    tokens, line = tree.tokens, tree.source.position
    open_at: list[int] = []
    for at, text in enumerate(tokens.texts):
        if text in ("{", "[", "("):
            open_at.append(at)
        elif text in _CLOSES and open_at and tokens.texts[open_at[-1]] == _CLOSES[text]:
            start, end = line(tokens.starts[open_at.pop()]).line - 1, line(tokens.starts[at]).line - 2
            if end > start:
                yield start, end


def _comments(source: Source, comments: list[Span]) -> Iterator[tuple[int, int]]:
    """Yield the lines of comments that reach over several, and of those that stand below one another."""
    first, last, behind = 0, -2, 0
    for start, end in comments:
        lines = source.position(start).line - 1, source.position(end).line - 1
        if lines[0] == last + 1 and not source.text[behind:start].strip():
            last = lines[1]
        else:
            if last > first:
                yield first, last
            first, last = lines
        behind = end
    if last > first:
        yield first, last


def selections(session: Session, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """Return for each position the token there, and everything around it up to the whole text."""
    document = session.documents.get(params.text_document.uri)
    return None if document is None else [_selection(document, position) for position in params.positions]


def _selection(document: Document, position: types.Position) -> types.SelectionRange:
    tree, lines = document.tree, document.text.lines
    selection = types.SelectionRange(document.text.whole())
    token = tree.token_at(lines.offset(position))
    if token is None:
        return selection
    spans = [tree.span(branch.first, branch.last) for branch in tree.around(token)][-_MOST_AROUND:]
    for span in dict.fromkeys([*spans, tree.span(token, token)]):
        selection = types.SelectionRange(lines.range(span), selection)
    return selection


HANDLERS = {
    types.TEXT_DOCUMENT_FOLDING_RANGE: (folds, None),
    types.TEXT_DOCUMENT_SELECTION_RANGE: (selections, None),
}
