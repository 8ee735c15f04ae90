"""How far a comment reaches: the declaration or statement it is attached to, with its body.

A comment behind code belongs to what that code ends, or opens when it is a `{`; one on a line of its own to what comes
next. So the formatter, which keeps a comment at its token, never changes what is suppressed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agentl.diagnostics import Span
from agentl.syntax.formatter.composing import Body
from agentl.syntax.formatter.gaps import Gaps
from agentl.syntax.formatter.layout import Layout
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import Tokens


class Stretch(NamedTuple):
    """A stretch from `start` to before `end`, and what it is of."""

    start: int
    end: int
    of: object


def reaches(tokens: Tokens, comments: Sequence[Span]) -> list[Span | None]:
    """Return for each comment of a program the stretch of text it reaches; None when nothing follows it."""
    if not comments:
        return []
    gaps = Gaps(tokens, load_tables())
    layout = Layout(tokens, gaps)
    layout.document()
    held = [_token(tokens, gaps, comment) for comment in comments]
    inner = innermost((Stretch(body.opening + 1, body.closing, body) for body in layout.bodies), held)
    return [_item(tokens, body, token) for body, token in zip(inner, held, strict=True)]


def _token(tokens: Tokens, gaps: Gaps, comment: Span) -> int:
    """Return the token a comment is attached to; -1 for none."""
    after = bisect_left(tokens.starts, comment.end)
    while tokens.kinds[after] in gaps.glue:
        after += 1
    before = gaps.solid(after - 1) if after else -1
    if before >= 0 and "\n" not in tokens.source.text[tokens.ends[before] : comment.start]:
        return before
    return -1 if tokens.texts[after] in (")", "]", "}") else after


def _item(tokens: Tokens, body: object, token: int) -> Span | None:
    if not isinstance(body, Body):
        return None
    at = bisect_right(body.items, token, key=lambda item: item[0]) - 1
    if at < 0 or body.items[at][1] < token:
        return None
    first, last = body.items[at]
    return Span(tokens.starts[first], tokens.ends[last])


def innermost(stretches: Iterable[Stretch], points: Sequence[int]) -> list[object]:
    """Return for each point what the innermost stretch around it is of, None where there is none.

    Stretches are nested or apart. Of equal ones the later is the inner.
    """
    outer_first = sorted(stretches, key=lambda each: (each.start, -each.end))
    found: list[object] = [None] * len(points)
    open_ones: list[Stretch] = []
    waiting = 0
    for point, index in sorted((point, index) for index, point in enumerate(points)):
        while waiting < len(outer_first) and outer_first[waiting].start <= point:
            open_ones.append(outer_first[waiting])
            waiting += 1
        while open_ones and open_ones[-1].end <= point:
            open_ones.pop()
        if open_ones:
            found[index] = open_ones[-1].of
    return found
