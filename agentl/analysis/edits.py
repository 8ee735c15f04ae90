"""Edits that several rules offer as fixes: another name in the place of a wrong one, something added to a node."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import count
from typing import NamedTuple

from agentl.analysis.model import AgentModel, Hint
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir.node import Node
from agentl.messages import Phrase, lint

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(?://|#)[^\n]*|\w+(?:\.\w+)*|\S')


_AFTER_COMMA = re.compile(r"\s*,")


class Token(NamedTuple):
    """A stretch of a program text: a word or path, a text, or a single sign."""

    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


def is_comment(token: str) -> bool:
    return token.startswith(("//", "#"))


def tokens(model: AgentModel, node: Node) -> Iterator[Token]:
    """Yield the tokens of a node as it is written, comments left out."""
    text = model.places.source(node).text
    for found in _TOKEN.finditer(text, *model.places.whole(node)):
        if not is_comment(found[0]):
            yield Token(found.start(), found.end(), found[0])


def after_word(tokens: Iterable[Token], word: str) -> Iterator[Token]:
    """Yield each token that follows a word; a `=` or `:` between them is passed over."""
    is_next = False
    for token in tokens:
        if is_next and token.text not in ("=", ":"):
            yield token
            is_next = False
        is_next = is_next or token.text == word


def free_names(name: str, taken: Collection[str]) -> Iterator[str]:
    """Yield `name_2`, `name_3` and so on, without end, leaving out what is taken."""
    return (free for number in count(2) if (free := f"{name}_{number}") not in taken)


def renamed(model: AgentModel, node: Node, old: str, hint: Hint | None) -> tuple[Fix, ...]:
    """Return the fix that writes what the hint "did you mean" proposes in the place of `old`, where it first stands.

    None without such a hint. It is never safe: another name is another meaning.
    """
    if hint is None or hint[0] is not lint.DID_YOU_MEAN:
        return ()
    return _instead(next((token for token in tokens(model, node) if token.text == old), None), hint)


def renamed_after(model: AgentModel, node: Node, word: str, hint: Hint | None) -> tuple[Fix, ...]:
    """Return the same fix for the name that stands after a word."""
    if hint is None or hint[0] is not lint.DID_YOU_MEAN:
        return ()
    return _instead(next(after_word(tokens(model, node), word), None), hint)


def _instead(token: Token | None, hint: Hint) -> tuple[Fix, ...]:
    if token is None:
        return ()
    new = str(hint[1]["name"])
    return (Fix(Phrase(lint.WRITE_INSTEAD, name=new), (Edit(token.span, new),), safe=False),)


def end_before(text: str, at: int) -> int:
    """Return where what stands before a place ends, blanks left out."""
    while at > 0 and text[at - 1].isspace():
        at -= 1
    return at


def appended(model: AgentModel, node: Node, text: str, title: Phrase, *, safe: bool) -> tuple[Fix, ...]:
    """Return the fix that writes `text` behind a node."""
    end = model.places.whole(node).end
    return (Fix(title, (Edit(Span(end, end), text),), safe),)


def removed(model: AgentModel, node: Node, title: Phrase, *, safe: bool) -> tuple[Fix, ...]:
    """Return the fix that takes a node away, with its line where nothing else stands on it, and with its comma.

    None where a comment would go with it.
    """
    text = model.places.source(node).text
    start, end = model.places.whole(node)
    if any(map(is_comment, _TOKEN.findall(text, start, end))):
        return ()
    comma = _AFTER_COMMA.match(text, end)
    if comma is not None:
        end = comma.end()
    elif text.endswith(",", 0, end_before(text, start)):
        start = end_before(text, start) - 1
    line, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if not text[line:start].strip() and line_end >= 0 and not text[end:line_end].strip():
        start, end = line, line_end + 1
    return (Fix(title, (Edit(Span(start, end), ""),), safe),)
