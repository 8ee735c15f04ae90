"""View: a document as a state of it is known, with the places it has in the text of now."""

from __future__ import annotations

from lsprotocol import types

from agentl.diagnostics import Span
from agentl.lsp.document import Document
from agentl.lsp.index import Index, Mention, Subject
from agentl.lsp.snapshot import Snapshot
from agentl.lsp.sources import Sources


class View:
    """Takes positions of the editor to the state that is known, and places of that state to the editor."""

    def __init__(self, document: Document, snapshot: Snapshot, sources: Sources) -> None:
        self.document = document
        self.snapshot = snapshot
        self._drift = document.drift_since(snapshot)
        self._sources = sources

    @property
    def index(self) -> Index:
        return self.snapshot.index

    def offset(self, position: types.Position) -> int:
        """Return where a position of the present text stood."""
        return self._drift.to_old(self.document.text.lines.offset(position))

    def range(self, span: Span) -> types.Range | None:
        """Return where a stretch of the known text stands now, None when it was typed over."""
        now = self._drift.span_to_new(span)
        return None if now is None else self.document.text.lines.range(now)

    def location(self, mention: Mention) -> types.Location | None:
        """Return the place of a mention, in the document or in a module."""
        return self.location_of(mention.file, self.index.span(mention))

    def location_of(self, file: int, span: Span) -> types.Location | None:
        if file == 0:
            at = self.range(span)
            return None if at is None else types.Location(self.document.uri, at)
        source = self.snapshot.source_of(file)
        return types.Location(self._sources.uri(source), self._sources.lines(source).range(span))

    def mention_at(self, position: types.Position) -> Mention | None:
        """Return what is named at a position; None where something else has been typed since."""
        mention = self.index.mention_at(0, self.offset(position))
        at = self.range(self.index.span(mention)) if mention is not None else None
        return mention if at is not None and at.start <= position <= at.end else None

    def subject_at(self, position: types.Position) -> Subject | None:
        mention = self.mention_at(position)
        return None if mention is None else self.index.subject_of(mention)
