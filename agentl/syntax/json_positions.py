"""Where the values and keys of a JSON text stand, by JSON pointer: for pointing at what is wrong in it.

Texts are read for their values by `agentl.values.border`; this slower reader is asked when something must be shown.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from agentl.diagnostics import Span

_GRAMMAR = r"""
?start: value
value: object | array | TEXT | NUMBER | WORD
object: OPEN_OBJECT (member ("," member)*)? CLOSE_OBJECT
member: TEXT ":" value
array: OPEN_ARRAY (value ("," value)*)? CLOSE_ARRAY

OPEN_OBJECT: "{"
CLOSE_OBJECT: "}"
OPEN_ARRAY: "["
CLOSE_ARRAY: "]"
WORD: /true|false|null/
NUMBER: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
TEXT: /"[^"\\\x00-\x1f]*(?:\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/
%ignore /[ \t\n\r]+/
"""
# Deeper places are not told: nothing that is read by the border is deeper, and the pointers would grow without bound.
_MAX_DEPTH = 66


class _Place(NamedTuple):
    """A value: where it stands, and what is in it by key (with the key's own place) or number."""

    span: Span
    inside: Sequence[tuple[str, Span | None, Any]]


class DoubledKey(NamedTuple):
    """A key that an object has again: its pointer, where it stood before, where it stands again."""

    pointer: str
    before: Span
    again: Span


@dataclass(slots=True)
class JsonPositions:
    """Spans of values and keys by JSON pointer, "" for the whole. Of a doubled key the last one counts."""

    values: dict[str, Span] = field(default_factory=dict)
    keys: dict[str, Span] = field(default_factory=dict)
    doubled: list[DoubledKey] = field(default_factory=list)

    def of(self, pointer: str) -> Span | None:
        """Return where to point for a value: at its key, else at itself; None for what is not in the text."""
        return self.keys.get(pointer) or self.values.get(pointer)


def json_positions(text: str) -> JsonPositions:
    """Return where everything in a JSON text stands, down to 66 levels. ValueError for a text that is no JSON."""
    from lark.exceptions import LarkError

    try:
        place: Any = _parser().parse(text)
    except LarkError as error:
        raise ValueError(f"no JSON: {error}") from None
    found = JsonPositions()
    pending: list[tuple[str, int, _Place]] = [("", 0, place)]
    while pending:
        pointer, depth, place = pending.pop()
        found.values[pointer] = place.span
        if depth == _MAX_DEPTH:
            continue
        seen: dict[str, tuple[str, int, _Place]] = {}
        for name, key_span, inner in place.inside:
            below = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if key_span is not None:
                if name in seen:
                    found.doubled.append(DoubledKey(below, found.keys[below], key_span))
                found.keys[below] = key_span
            seen[name] = (below, depth + 1, inner)
        pending.extend(seen.values())
    found.doubled.sort(key=lambda each: each.again)
    return found


@cache
def _parser() -> Any:
    from lark import Lark, Token, Transformer

    def span(first: Token, last: Token) -> Span:
        return Span(first.start_pos or 0, last.end_pos or 0)

    class Places(Transformer[Any, _Place]):
        """Called as the parser reduces, so that no depth of nesting is a depth of calls."""

        def value(self, children: list[Any]) -> _Place:
            only = children[0]
            return only if isinstance(only, _Place) else _Place(span(only, only), [])

        def object(self, children: list[Any]) -> _Place:
            return _Place(span(children[0], children[-1]), children[1:-1])

        def array(self, children: list[Any]) -> _Place:
            items = [(str(at), None, item) for at, item in enumerate(children[1:-1])]
            return _Place(span(children[0], children[-1]), items)

        def member(self, children: list[Any]) -> tuple[str, Span, _Place]:
            return json.loads(children[0]), span(children[0], children[0]), children[1]

    return Lark(_GRAMMAR, parser="lalr", lexer="basic", transformer=Places())
