"""SyncedText: the text of an open document, kept equal to the editor's."""

from __future__ import annotations

from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent
from lsprotocol.types import TextDocumentContentChangePartial as PartialChange

from agentl.diagnostics import Source
from agentl.lsp.collect import collect
from agentl.lsp.drift import Change
from agentl.lsp.index import Index
from agentl.lsp.positions import BOM, Lines
from agentl.lsp.tree import Tree, grow


class SyncedText:
    """One state of a document: the editor's text, and the source that the language sees (BOM gone, LF alone)."""

    def __init__(self, text: str, name: str, encoding: PositionEncodingKind | str) -> None:
        self.text = text
        self.name = name
        self.encoding = encoding

    @cached_property
    def source(self) -> Source:
        return Source(self.text, self.name)

    @cached_property
    def lines(self) -> Lines:
        """The lines of the source. They are those of the editor's text: only their ends and a first mark differ."""
        return Lines(self.source.text, self.encoding, has_bom=self.text.startswith(BOM))

    @cached_property
    def tree(self) -> Tree:
        """The tree of this very text, wrong as it may be in places."""
        return grow(self.source)

    @cached_property
    def index(self) -> Index:
        """The names of this very text, without those of the modules it imports."""
        return Index([collect(self.tree)])

    @property
    def line_end(self) -> str:
        """What ends the first line, and so every line that is added."""
        first, _, _ = self.text.partition("\n")
        return "\r\n" if first.endswith("\r") else "\n"

    def whole(self) -> Range:
        """The range of the whole text."""
        return Range(Position(0, 0), self.lines.position(len(self.source.text)))

    def edited(self, event: TextDocumentContentChangeEvent) -> tuple[SyncedText, Change]:
        """Return the text after a change, and the change as it is seen in the source."""
        if not isinstance(event, PartialChange):
            new = SyncedText(event.text, self.name, self.encoding)
            return new, _difference(self.source.text, new.source.text)
        start, end = self._raw.span(event.range)
        new = SyncedText(self.text[:start] + event.text + self.text[end:], self.name, self.encoding)
        start, end = self.lines.span(event.range)
        length = len(new.source.text) - (len(self.source.text) - (end - start))
        if length < 0 or new.text[:1] != self.text[:1]:
            # Line ends fell together, or the first mark came or went.
            return new, _difference(self.source.text, new.source.text)
        return new, Change(start, end, length)

    @cached_property
    def _raw(self) -> Lines:
        return self.lines if self.text == self.source.text else Lines(self.text, self.encoding)


def _difference(old: str, new: str) -> Change:
    """Return the stretch between what two texts have in common at their beginnings and at their ends."""
    start = _common(old, new)
    rest = min(len(old), len(new)) - start
    tail = _common(old[len(old) - rest :][::-1], new[len(new) - rest :][::-1])
    return Change(start, len(old) - tail, len(new) - tail - start)


def _common(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
