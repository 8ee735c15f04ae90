"""Source: a program text with its name and line table."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from agentl.diagnostics.span import Span


class Position(NamedTuple):
    """Line and column from 1; columns count code points, a tab is one (decision 32)."""

    line: int
    column: int


class Source:
    """A text as the parser sees it: one leading byte-order mark gone, line ends CR LF and CR made LF.

    `name` is what people are shown, usually the path as they gave it.
    """

    def __init__(self, text: str, name: str = "<source>") -> None:
        self.name = name
        if text.startswith("\ufeff"):
            text = text[1:]
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text
        self._starts: list[int] | None = None

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            starts = [0]
            find, at = self.text.find, self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset (clamped to the text)."""
        offset = max(0, min(offset, len(self.text)))
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return the text of a line (from 1) without its line end; "" beyond the last."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end]

    def lines(self, first: int, last: int) -> Span:
        """Return where lines (from 1) stand, with their line ends; lines beyond the text are none."""
        starts = [*self._line_starts(), len(self.text)]
        start = starts[min(max(first, 1), len(starts)) - 1]
        return Span(start, max(start, starts[min(max(last, 0), len(starts) - 1)]))
