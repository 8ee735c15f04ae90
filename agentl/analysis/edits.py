"""Edits that several rules offer as fixes: another name in the place of a wrong one, something added to a node."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentl.analysis.model import AgentModel, Hint
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir.node import Node
from agentl.messages import Phrase, lint

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(?://|#)[^\n]*|\w+(?:\.\w+)*|\S')


class Token(NamedTuple):
    """A stretch of a program text: a word or path, a text, or a single sign."""

    start: int
    end: int
    text: str


def tokens(model: AgentModel, node: Node) -> Iterator[Token]:
    """Yield the tokens of a node as it is written, comments left out."""
    text = model.places.source(node).text
    for found in _TOKEN.finditer(text, *model.places.whole(node)):
        if not found[0].startswith(("//", "#")):
            yield Token(found.start(), found.end(), found[0])


def after_word(tokens: Iterable[Token], word: str) -> Iterator[Token]:
    """Yield each token that follows a word; a `=` or `:` between them is passed over."""
    is_next = False
    for token in tokens:
        if is_next and token.text not in ("=", ":"):
            yield token
            is_next = False
        is_next = is_next or token.text == word


def renamed(model: AgentModel, node: Node, old: str, hint: Hint | None) -> tuple[Fix, ...]:
    """Return the fix that writes what the hint "did you mean" proposes in the place of `old`, where it first stands.

    None without such a hint. It is never safe: another name is another meaning.
    """
    if hint is None or hint[0] is not lint.DID_YOU_MEAN:
        return ()
    new = str(hint[1]["name"])
    place = model.places.whole(node)
    found = re.compile(rf"(?<![\w.]){re.escape(old)}(?![\w.])").search(
        model.places.source(node).text, place.start, place.end
    )
    if found is None:
        return ()
    edit = Edit(Span(found.start(), found.end()), new)
    return (Fix(Phrase(lint.WRITE_INSTEAD, name=new), (edit,), safe=False),)


def appended(model: AgentModel, node: Node, text: str, title: Phrase, *, safe: bool) -> tuple[Fix, ...]:
    """Return the fix that writes `text` behind a node."""
    end = model.places.whole(node).end
    return (Fix(title, (Edit(Span(end, end), text),), safe),)


def removed(model: AgentModel, node: Node, title: Phrase, *, safe: bool) -> tuple[Fix, ...]:
    """Return the fix that takes a node away, with its line where nothing else stands on it."""
    text = model.places.source(node).text
    start, end = model.places.whole(node)
    line, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if not text[line:start].strip() and line_end >= 0 and not text[end:line_end].strip():
        start, end = line, line_end + 1
    return (Fix(title, (Edit(Span(start, end), ""),), safe),)
