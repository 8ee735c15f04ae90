"""Session: the open documents of one editor, looked at again a moment after each change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from lsprotocol import types

from agentl.diagnostics import Source
from agentl.lsp.board import Board
from agentl.lsp.document import Document
from agentl.lsp.findings import to_protocol
from agentl.lsp.locations import name_of, path_of
from agentl.lsp.snapshot import Snapshot, take
from agentl.lsp.sources import Sources
from agentl.lsp.text import SyncedText
from agentl.lsp.view import View
from agentl.lsp.worker import Worker
from agentl.messages import Text, use_language
from agentl.messages import editor as messages
from agentl.messages.language import LANGUAGES, is_language_chosen

# How long nothing may be typed before the text is checked.
DEBOUNCE_S = 0.1


class Editor(Protocol):
    """What can be said to an editor unasked."""

    def say(self, text: Text, type: types.MessageType = types.MessageType.Error, /, **arguments: object) -> None:
        """Show a line to the person."""

    def publish(self, params: types.PublishDiagnosticsParams) -> None:
        """Tell the findings of a file."""


class Session:
    """All that is kept between messages. Everything here happens in the loop that reads them."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self.documents: dict[str, Document] = {}
        self.folders: list[Path] = []
        self.sources = Sources(self.documents)
        self.has_snippets = False
        self.asks_before_edits = False
        self._language: str | None = None
        self._worker: Worker | None = None
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._looking: set[str] = set()
        self._board = Board()
        self._waiters: list[tuple[Document, int, asyncio.Future[Snapshot | None]]] = []

    # --- What the editor says ---------------------------------------------------------------------------------------

    def begin(self, params: types.InitializeParams, encoding: types.PositionEncodingKind | str) -> None:
        """Take over what was agreed on, among it the unit that columns count."""
        self._worker = Worker(asyncio.get_running_loop(), self._failed)
        self.sources.encoding = encoding
        completion = params.capabilities.text_document and params.capabilities.text_document.completion
        item = completion and completion.completion_item
        self.has_snippets = bool(item and item.snippet_support)
        edit = params.capabilities.workspace and params.capabilities.workspace.workspace_edit
        self.asks_before_edits = bool(edit and edit.document_changes and edit.change_annotation_support)
        language = (params.locale or "")[:2].lower()
        self._language = language if language in LANGUAGES and not is_language_chosen() else None
        given = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        self.folders = [path for uri in given if (path := path_of(uri)) is not None]

    def speak(self) -> None:
        """Speak the editor's language in this context."""
        if self._language is not None:
            use_language(self._language)

    def warn(self, text: Text, **arguments: object) -> None:
        """Show a line to the person about something that was asked for and is done."""
        self._editor.say(text, types.MessageType.Warning, **arguments)

    def open(self, item: types.TextDocumentItem) -> None:
        """Take in a document. Opened a second time, it is as if it had been closed before."""
        text = SyncedText(item.text, name_of(item.uri), self.sources.encoding)
        self.documents[item.uri] = Document(item.uri, text, item.version)
        self._look_soon(item.uri, 0)
        self._look_at_importers(item.uri)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take in changes, one after the other. Those of a document that is not open are of no text."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            return
        for event in params.content_changes:
            document.become(*document.text.edited(event))
        document.version = params.text_document.version
        self._answer_waiting()
        self._look_soon(document.uri, DEBOUNCE_S)
        self._look_at_importers(document.uri)

    def close(self, uri: str) -> None:
        """Forget a document and what was said about it."""
        if self.documents.pop(uri, None) is None:
            return
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._publish(self._board.replace(uri, {}))
        self._answer_waiting()
        self._look_at_importers(uri)

    # --- Looking at documents ---------------------------------------------------------------------------------------

    def known(self, uri: str) -> Document | None:
        """Return an open document with something known about it: what could not be waited for is found out now."""
        document = self.documents.get(uri)
        if document is not None and document.latest is None:
            document.know(self.look(document))
        return document

    async def checked(self, document: Document) -> Snapshot | None:
        """Wait until the present text has been checked; None when it was changed or closed before."""
        present = document.present
        if present is not None and present.is_checked:
            return present
        waiting: asyncio.Future[Snapshot | None] = asyncio.get_running_loop().create_future()
        self._waiters.append((document, document.serial, waiting))
        return await waiting

    def _answer_waiting(self) -> None:
        """Let those go on whose text has been checked, or is no more."""
        left = []
        for document, serial, waiting in self._waiters:
            is_gone = self.documents.get(document.uri) is not document or document.serial != serial
            present = document.present
            if waiting.done():
                continue
            if is_gone:
                waiting.set_result(None)
            elif present is not None and present.is_checked:
                waiting.set_result(present)
            else:
                left.append((document, serial, waiting))
        self._waiters = left

    def view(self, uri: str) -> View | None:
        """Return a document as it was when it was last a program, or else as it is; None for one that is not open."""
        document = self.known(uri)
        snapshot = (document.good or document.latest) if document is not None else None
        return View(document, snapshot, self.sources) if document is not None and snapshot is not None else None

    def fresh(self, document: Document) -> Snapshot:
        """Return what is known of the present text, finding it out now if need be."""
        if document.present is None:
            document.know(self.look(document))
        assert document.present is not None
        return document.present

    def look(self, document: Document) -> Snapshot:
        """Parse the present text."""
        return take(document.text.source, document.serial, self.sources.texts().get)

    def _look_soon(self, uri: str, delay: float) -> None:
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self._waiting[uri] = asyncio.get_running_loop().call_later(delay, self._look, uri)

    def look_at_all(self) -> None:
        """Have every document looked at again: something that it depends on may have changed."""
        for uri in self.documents:
            self._look_soon(uri, DEBOUNCE_S)

    def _look_at_importers(self, uri: str) -> None:
        """Have those looked at again that import a document."""
        for importer in self.importers(uri):
            self._look_soon(importer.uri, DEBOUNCE_S)

    def importers(self, uri: str) -> Iterator[Document]:
        """Yield the open documents that import another one, directly or not."""
        for document in self.documents.values():
            modules = document.latest.parsed.modules.values() if document.latest is not None else ()
            if document.uri != uri and any(self.sources.uri(source) == uri for source in modules):
                yield document

    def _look(self, uri: str) -> None:
        """Have a document checked beside the loop; one that is being checked is asked for again afterwards."""
        self._waiting.pop(uri, None)
        document = self.documents.get(uri)
        if document is None or self._worker is None:
            return
        if uri in self._looking:
            self._look_soon(uri, DEBOUNCE_S)
            return
        self._looking.add(uri)
        job = partial(_checked, document.text.source, document.serial, self.sources.texts())
        self._worker.submit(job, partial(self._looked, document))

    def _looked(self, document: Document, snapshot: Snapshot) -> None:
        self._looking.discard(document.uri)
        self._take_in(document, snapshot)
        self._answer_waiting()

    def _take_in(self, document: Document, snapshot: Snapshot) -> None:
        if self.documents.get(document.uri) is not document:
            return
        document.know(snapshot)
        # Findings of an older text would stand in the wrong places; those of the present one are on their way.
        if document.serial == snapshot.serial:
            self.speak()
            self._tell(document, snapshot)
            self._warm(document, snapshot)

    def _warm(self, document: Document, snapshot: Snapshot) -> None:
        """Find out beside the loop what the next request will ask for, unless something is typed before."""
        if self._worker is not None:
            self._worker.submit(lambda: snapshot.words if document.serial == snapshot.serial else None, lambda _: None)

    def _failed(self, error: BaseException) -> None:
        self._looking.clear()
        for _, _, waiting in self._waiters:
            if not waiting.done():
                waiting.set_result(None)
        self._waiters.clear()
        self._editor.say(messages.CHECK_FAILED, kind=type(error).__name__)

    # --- Findings ---------------------------------------------------------------------------------------------------

    def _tell(self, document: Document, snapshot: Snapshot) -> None:
        found: dict[str, list[types.Diagnostic]] = {document.uri: []}
        for finding in snapshot.findings:
            uri = document.uri if finding.source in (None, snapshot.source) else self.sources.uri(finding.source)
            found.setdefault(uri, []).append(to_protocol(finding, self.sources))
        self._publish(self._board.replace(document.uri, found))

    def _publish(self, changed: Mapping[str, list[types.Diagnostic]]) -> None:
        for uri, diagnostics in changed.items():
            document = self.documents.get(uri)
            version = document.version if document is not None else None
            self._editor.publish(types.PublishDiagnosticsParams(uri, diagnostics, version=version))


def _checked(source: Source, serial: int, texts: Mapping[Path, str]) -> Snapshot:
    snapshot = take(source, serial, texts.get)
    assert snapshot.findings is not None  # found out here, beside the loop
    return snapshot
