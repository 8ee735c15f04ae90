"""A client of the language server: the real process over real pipes, spoken to by pygls' own client."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE_S = 30.0
COMMAND = (sys.executable, "-m", "agentl")


class Client:
    """Waits for each answer; what the server says unasked is kept."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.lsp = LanguageClient("tests", "1")
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = defaultdict(list)
        self.shown: list[str] = []
        self.patience_s = PATIENCE_S
        self.result: types.InitializeResult
        self._arrived = threading.Condition()

        @self.lsp.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            with self._arrived:
                self.published[params.uri].append(params)
                self._arrived.notify_all()

        @self.lsp.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.shown.append(params.message)

    def wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(self.patience_s)

    def start(
        self,
        *options: str,
        encodings: list[str] | None = None,
        folder: Path | None = None,
        locale: str | None = None,
        process_id: int | None = None,
        asks_before_edits: bool = False,
    ) -> None:
        self.wait(self.lsp.start_io(*COMMAND, *options, "lsp"))
        general = types.GeneralClientCapabilities(position_encodings=encodings)  # type: ignore[arg-type]
        asked = types.ChangeAnnotationsSupportOptions() if asks_before_edits else None
        edit = types.WorkspaceEditClientCapabilities(document_changes=True, change_annotation_support=asked)
        workspace = types.WorkspaceClientCapabilities(workspace_edit=edit)
        folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)] if folder else None
        params = types.InitializeParams(
            capabilities=types.ClientCapabilities(general=general, workspace=workspace),
            workspace_folders=folders,
            locale=locale,
            process_id=process_id,
        )
        self.result = self.ask(types.INITIALIZE, params)
        self.tell(types.INITIALIZED, types.InitializedParams())

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self.lsp._server is not None
        return self.lsp._server

    def ask(self, method: str, params: Any) -> Any:
        async def asked() -> Any:
            return await self.lsp.protocol.send_request_async(method, params)

        return self.wait(asked())

    def tell(self, method: str, params: Any) -> None:
        self._loop.call_soon_threadsafe(self.lsp.protocol.notify, method, params)

    def open(self, uri: str, text: str, version: int = 1) -> None:
        self.tell(
            types.TEXT_DOCUMENT_DID_OPEN,
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "agentl", version, text)),
        )

    def change(self, uri: str, version: int, *changes: tuple[types.Range, str] | str) -> None:
        """Change a document: a range with its new text, or the whole text."""
        events: list[Any] = [
            types.TextDocumentContentChangeWholeDocument(each)
            if isinstance(each, str)
            else types.TextDocumentContentChangePartial(*each)
            for each in changes
        ]
        self.tell(
            types.TEXT_DOCUMENT_DID_CHANGE,
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, uri), events),
        )

    def close(self, uri: str) -> None:
        self.tell(types.TEXT_DOCUMENT_DID_CLOSE, types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def findings(self, uri: str, version: int | None) -> list[types.Diagnostic]:
        """Wait for the findings of a version and return them."""

        def arrived() -> bool:
            return any(each.version == version for each in self.published[uri])

        with self._arrived:
            assert self._arrived.wait_for(arrived, self.patience_s), f"no findings of version {version}"
            return list([each for each in self.published[uri] if each.version == version][-1].diagnostics)

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds of what was published."""
        with self._arrived:
            assert self._arrived.wait_for(holds, self.patience_s)

    def end(self) -> int:
        """Shut the server down as the protocol wants it; return its exit code."""
        self.ask(types.SHUTDOWN, None)
        self.tell(types.EXIT, None)
        return self.ended()

    def ended(self) -> int:
        """Wait for the end of the process and return its exit code."""
        code: int = self.wait(self.process.wait())
        self.wait(self.lsp.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        return code


@contextmanager
def running(*options: str, **settings: Any) -> Iterator[Client]:
    """A client with a server of its own."""
    client = Client()
    client.start(*options, **settings)
    try:
        yield client
    finally:
        if client.process.returncode is None:
            client.end()
