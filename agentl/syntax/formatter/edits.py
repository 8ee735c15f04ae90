"""The difference between a text and its layout as edits, of the whole text or of some of its lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from agentl.diagnostics import Edit, Span
from agentl.syntax.formatter.composing import Body
from agentl.syntax.formatter.gaps import Gaps
from agentl.syntax.tokens import Tokens


class Formatted(NamedTuple):
    """A layout, with the tokens of the text before and after; gaps and bodies are of the text before."""

    text: str
    old: Tokens
    new: Tokens
    gaps: Gaps
    bodies: Sequence[Body]


def edits_of(formatted: Formatted, lines: tuple[int, int] | None) -> tuple[Edit, ...]:
    """Return an edit for each stretch between two tokens that differs, or for those that lay out some lines."""
    old, new = formatted.old, formatted.new
    text = old.source.text
    first, last = (0, len(old.kinds)) if lines is None else _touched(formatted, lines)
    edits = []
    old_end = new_end = 0
    for before, after in zip(_solid(formatted.gaps, old), _solid(formatted.gaps, new), strict=True):
        span = Span(old_end, old.starts[before])
        between = formatted.text[new_end : new.starts[after]]
        if first <= before <= last and text[span.start : span.end] != between:
            edits.append(Edit(span, between))
        old_end, new_end = old.ends[before], new.ends[after]
    return tuple(edits)


def _solid(gaps: Gaps, tokens: Tokens) -> list[int]:
    return [token for token, kind in enumerate(tokens.kinds) if kind not in gaps.glue]


def _touched(formatted: Formatted, lines: tuple[int, int]) -> tuple[int, int]:
    """Return the first and the last token of the items that stand on these lines; else the token that comes after."""
    tokens = formatted.old
    stretch = tokens.source.lines(*lines)
    end = len(tokens.kinds) - 1
    first = min(bisect_right(tokens.ends, stretch.start), end)
    last = max(first, bisect_left(tokens.starts, stretch.end) - 1)
    around = max(body for body in formatted.bodies if body.opening < first and last < body.closing)
    items = [item for item in around.items if item[0] <= last and first <= item[1]]
    if not items:
        return first, last
    return items[0][0], max(items[-1][1], last)
