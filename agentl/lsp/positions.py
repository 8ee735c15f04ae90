"""Lines: from places in a text, counted in code points, to positions of the protocol and back.

An editor counts the columns of a line in the unit that was agreed on, by default UTF-16 code units (decision 32).
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, PositionEncodingKind, Range

from agentl.diagnostics import Span

_LINE_END = re.compile("\r\n|\r|\n")
BOM = "\ufeff"


class Lines:
    """The line table of a text. `has_bom`: the editor's text has a byte-order mark before what this one holds."""

    def __init__(
        self, text: str, encoding: PositionEncodingKind | str = PositionEncodingKind.Utf16, *, has_bom: bool = False
    ) -> None:
        self._text = text
        self._encoding = encoding
        self._bom = self._units(BOM) if has_bom else 0
        self._starts = [0]
        self._ends = []
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))
        self._is_plain = text.isascii()

    def __len__(self) -> int:
        return len(self._starts)

    def offset(self, position: Position) -> int:
        """Return the offset of a position; what lies outside of the text or of its line is taken to its border."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[position.line], self._ends[position.line]
        wanted = max(0, position.character - (self._bom if position.line == 0 else 0))
        if self._is_plain:
            return min(start + wanted, end)
        units = 0
        for at in range(start, end):
            width = self._units(self._text[at])
            # The middle of a character is no place: it counts as its beginning.
            if units + width > wanted:
                return at
            units += width
        return end

    def position(self, offset: int) -> Position:
        """Return the position of an offset, clamped to the text."""
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        units = offset - start if self._is_plain else self._units(self._text[start:offset])
        return Position(line, units + (self._bom if line == 0 else 0))

    def range(self, span: Span) -> Range:
        return Range(self.position(span.start), self.position(span.end))

    def span(self, range: Range) -> Span:
        """Return the stretch of a range; its ends may come in either order."""
        start, end = self.offset(range.start), self.offset(range.end)
        return Span(min(start, end), max(start, end))

    def line(self, number: int) -> Span:
        """Return where a line (from 0) stands, without its line end."""
        return Span(self._starts[number], self._ends[number])

    def units(self, text: str) -> int:
        """Return the length of a text in the agreed unit."""
        return len(text) if text.isascii() else self._units(text)

    def _units(self, text: str) -> int:
        if self._encoding == PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        if self._encoding == PositionEncodingKind.Utf32:
            return len(text)
        return len(text) + sum(1 for character in text if character > "\uffff")
