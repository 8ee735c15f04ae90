"""What each token is, for colours: names by what they name, where a grammar of patterns sees names alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from agentl.analysis.functions import BUILT_IN
from agentl.diagnostics import Span
from agentl.lsp.document import Document
from agentl.lsp.index import Index
from agentl.lsp.names import Kind, Name, Use
from agentl.lsp.session import Session
from agentl.syntax.tables import load_tables

_TYPES = (
    *("keyword", "string", "number", "operator", "comment", "class", "namespace", "function", "method", "event"),
    *("parameter", "property", "variable", "enumMember", "type"),
)
_DECLARATION, _LIBRARY = 1, 2
LEGEND = types.SemanticTokensLegend(list(_TYPES), ["declaration", "defaultLibrary"])
_OF_KIND = {
    Kind.AGENT: "class",
    Kind.EVENT: "event",
    Kind.FUNCTION: "function",
    Kind.GOAL: "variable",
    Kind.HYPOTHESIS: "variable",
    Kind.INPUT: "parameter",
    Kind.MESSAGE: "event",
    Kind.MODULE: "namespace",
    Kind.OUTPUT: "property",
    Kind.PATH: "variable",
    Kind.PLAN: "method",
    Kind.SCENARIO: "method",
    Kind.STEP: "method",
    Kind.TOOL: "function",
    Kind.TYPE: "type",
    Kind.VARIABLE: "variable",
    Kind.WORD: "enumMember",
}
_PLAIN = {"STR": "string", "NUM": "number", "PCT": "number", "DUR": "number", "DATETIME": "number"}
_PUNCTUATION = {"LBRACE", "RBRACE", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "COMMA", "DOT", "COLON", "IDENT"}


class _Coloured(NamedTuple):
    span: Span
    type: str
    modifiers: int = 0


def whole(session: Session, params: types.SemanticTokensParams) -> types.SemanticTokens:
    document = session.documents.get(params.text_document.uri)
    return types.SemanticTokens([] if document is None else _encoded(document, None))


def part(session: Session, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    document = session.documents.get(params.text_document.uri)
    if document is None:
        return types.SemanticTokens([])
    return types.SemanticTokens(_encoded(document, document.text.lines.span(params.range)))


def _encoded(document: Document, within: Span | None) -> list[int]:
    """Return five numbers a token: lines and columns from the one before, length, type, modifiers."""
    lines = document.text.lines
    data: list[int] = []
    line = column = 0
    text = document.text.source.text
    for coloured in sorted(_coloured(document, within or Span(0, len(text)))):
        for start, end in _of_one_line(text, coloured.span):
            at = lines.position(start)
            moved = at.character - (column if at.line == line else 0)
            length = lines.units(text[start:end])
            data += (at.line - line, moved, length, _TYPES.index(coloured.type), coloured.modifiers)
            line, column = at.line, at.character
    return data


def _of_one_line(text: str, span: Span) -> Iterator[Span]:
    """Yield the lines of a token: a text or a comment may have several, what is coloured has one."""
    start = span.start
    for part in text[span.start : span.end].split("\n"):
        if part:
            yield Span(start, start + len(part))
        start += len(part) + 1


def _coloured(document: Document, within: Span) -> Iterator[_Coloured]:
    tree, index = document.tree, document.index
    tokens = tree.tokens
    terminals, first_word = load_tables().terminals, load_tables().first_word
    begin, end = bisect_left(tokens.ends, within.start), bisect_right(tokens.starts, within.end)
    named = dict(_named(index, begin, end))
    for at in range(begin, end):
        kind, span = tokens.kinds[at], tokens.span(at)
        if at in named and terminals[kind] not in _PLAIN:
            name, is_word = named[at]
            yield _Coloured(span, "enumMember" if is_word else _OF_KIND[name.kind], _modifiers(name))
        elif kind >= first_word:
            yield _Coloured(span, "variable" if at in tree.names else "keyword")
        elif terminals[kind] in _PLAIN:
            yield _Coloured(span, _PLAIN[terminals[kind]])
        elif kind > 0 and terminals[kind] not in _PUNCTUATION:
            yield _Coloured(span, "operator")
    for comment in tokens.comments:
        if comment.end >= within.start and comment.start <= within.end:
            yield _Coloured(comment, "comment")


def _named(index: Index, begin: int, end: int) -> Iterator[tuple[int, tuple[Name, bool]]]:
    """Yield the tokens of names from one token to another, and whether each is a word that nothing gives a value."""
    names = index.names[0]
    # A path that begins before reaches in: a few names back is far enough.
    first = max(0, bisect_left(names, begin, key=lambda name: name.first) - 4)
    for name in names[first : bisect_right(names, end, key=lambda name: name.first)]:
        is_word = name.kind is Kind.PATH and "." not in name.text and name.text not in index.written
        for token in range(name.first, name.last + 1, 2):
            yield token, (name, is_word)


def _modifiers(name: Name) -> int:
    if name.kind is Kind.FUNCTION and name.text in BUILT_IN:
        return _LIBRARY
    return _DECLARATION if name.use is Use.DECLARES else 0


HANDLERS = {
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (whole, LEGEND),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (part, LEGEND),
}
