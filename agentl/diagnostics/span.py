"""Span: a stretch of a source, as two offsets."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Offsets in code points of the source's text; `end` is exclusive."""

    start: int
    end: int
