"""Sources: what the editor calls a text that the language knows by its name, and how it counts its lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from weakref import WeakKeyDictionary

from lsprotocol.types import PositionEncodingKind

from agentl.diagnostics import Source
from agentl.lsp.document import Document
from agentl.lsp.locations import uri_of
from agentl.lsp.positions import Lines


class Sources:
    """The texts of open documents, and of the files they import."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._lines: WeakKeyDictionary[Source, Lines] = WeakKeyDictionary()
        self.encoding: PositionEncodingKind | str = PositionEncodingKind.Utf16

    def uri(self, source: Source) -> str:
        """Return the URI of a text: the editor's own for what is open, since a file has many spellings."""
        document = self._open(source)
        return uri_of(source) if document is None else document.uri

    def lines(self, source: Source) -> Lines:
        """Return the lines of a text, as the editor counts them."""
        document = self._open(source)
        if document is not None and document.text.source is source:
            return document.text.lines
        if source not in self._lines:
            self._lines[source] = Lines(source.text, self.encoding)
        return self._lines[source]

    def texts(self) -> dict[Path, str]:
        """Return the texts of the files that are open, as they are in the editor."""
        return {each.path: each.text.text for each in self._documents.values() if each.path is not None}

    def _open(self, source: Source) -> Document | None:
        path = Path(source.name)
        for document in self._documents.values():
            if document.text.source is source or (document.path is not None and document.path == path):
                return document
        return None
