"""Fix: a change of a program text that mends a finding, as data. Whoever offers it applies it; a rule never does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from agentl.diagnostics.span import Span
from agentl.messages import Phrase


class Edit(NamedTuple):
    """Puts `text` in the place of `span`; an empty span is a place to insert at."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """`edits` are of the text the finding stands in (its `source`), sorted, and do not overlap.

    `safe` is True when no verdict becomes weaker and nothing the author meant is lost (tooling.md §12): such a fix may
    be applied without being looked at. `title` says what is done, in the imperative.
    """

    title: Phrase
    edits: tuple[Edit, ...]
    safe: bool


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with the edits made. Raises ValueError when two of them overlap or one reaches outside."""
    parts: list[str] = []
    at = 0
    for (start, end), replacement in sorted(edits):
        if not at <= start <= end <= len(text):
            raise ValueError(f"edit {start}-{end} overlaps another one, or reaches outside of the text")
        parts += (text[at:start], replacement)
        at = end
    return "".join((*parts, text[at:]))
