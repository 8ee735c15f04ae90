"""Drift: what was typed since a text was looked at, to find its places in the text of now, and the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agentl.diagnostics import Span


class Change(NamedTuple):
    """What stood from `start` to `end` was replaced by `length` characters."""

    start: int
    end: int
    length: int


class _Piece(NamedTuple):
    """A stretch of the old text, and the stretch of the new one that stands in its place."""

    old: Span
    new: Span


class Drift:
    """The changes of a text, made one after the other, as the few stretches in which old and new differ."""

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []

    def add(self, change: Change) -> None:
        """Note a change of the new text; one that touches an earlier one becomes one with it."""
        grown = change.length - (change.end - change.start)
        before = [piece for piece in self._pieces if piece.new.end < change.start]
        after = [piece for piece in self._pieces if piece.new.start > change.end]
        touched = self._pieces[len(before) : len(self._pieces) - len(after)]
        start, end = change.start, change.end
        old_start, old_end = _back(before, start), _back([*before, *touched], end)
        if touched and touched[0].new.start <= start:
            start, old_start = touched[0].new.start, touched[0].old.start
        if touched and touched[-1].new.end >= end:
            end, old_end = touched[-1].new.end, touched[-1].old.end
        moved = [_Piece(each.old, Span(each.new.start + grown, each.new.end + grown)) for each in after]
        self._pieces = [*before, _Piece(Span(old_start, old_end), Span(start, end + grown)), *moved]

    def to_old(self, offset: int) -> int:
        """Return where a place of the new text stood; the start of what was replaced, for one within what is new."""
        for piece in self._pieces:
            if piece.new.start <= offset < piece.new.end:
                return piece.old.start
        return _back([piece for piece in self._pieces if piece.new.end <= offset], offset)

    def span_to_new(self, span: Span) -> Span | None:
        """Return where a stretch of the old text stands now, None when a part of it was changed."""
        shift = 0
        for old, new in self._pieces:
            if old.start < span.end and span.start < max(old.end, old.start + 1) and old.end > span.start:
                return None
            if old.start == old.end and span.start < old.start < span.end:
                return None
            if old.end <= span.start:
                shift = new.end - old.end
        return Span(span.start + shift, span.end + shift)


def _back(pieces: Sequence[_Piece], offset: int) -> int:
    """Return an offset behind all these pieces as it was before them."""
    return offset + pieces[-1].old.end - pieces[-1].new.end if pieces else offset
