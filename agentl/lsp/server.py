"""The server: what pygls brings, with our own documents and a handler for each method that a request file names."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import iscoroutinefunction
from pkgutil import iter_modules
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from agentl.diagnostics import AgentLError
from agentl.lsp import requests as folder
from agentl.lsp.session import Session
from agentl.messages import Text
from agentl.messages import editor as messages

# "the request failed though its form was right" in the protocol.
_REQUEST_FAILED = -32803


class AgentProtocol(LanguageServerProtocol):
    """The protocol without pygls's own copy of each text, which counts lines in another way than editors do."""

    @property
    def was_shut_down(self) -> bool:
        return self._shutdown

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._server.session.change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.session.close(params.text_document.uri)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._server.session.open(params.text_document)

    _server: AgentServer


class AgentServer(LanguageServer):
    """`session` holds the documents."""

    protocol: AgentProtocol

    def __init__(self, version: str) -> None:
        super().__init__("agentl", version, protocol_cls=AgentProtocol, converter_factory=default_converter)
        self.session = Session(self)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Say that something could not be done, in words. An error of a request is its answer already."""
        if source is not FeatureRequestError:
            self.say(messages.UNUSABLE_MESSAGE, kind=type(error).__name__)

    def say(self, text: Text, type: types.MessageType = types.MessageType.Error, /, **arguments: object) -> None:
        self.session.speak()
        self.window_show_message(types.ShowMessageParams(type, text.text(**arguments)))

    def publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.text_document_publish_diagnostics(params)


def make_server() -> AgentServer:
    """Return a server that answers every method that a file in `requests/` has a handler for."""
    from agentl import __version__

    # WHY: pygls logs each message it cannot handle with a traceback, and editors show what comes on standard error.
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
    server = AgentServer(__version__)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        encoding = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
        server.session.begin(params, encoding)

    for name in sorted(module.name for module in iter_modules(folder.__path__)):
        handlers = import_module(f"{folder.__name__}.{name}").HANDLERS
        for method, (answer, options) in handlers.items():
            server.feature(method, options)(_handler(server.session, answer))
    return server


def _handler(session: Session, answer: Callable[[Session, Any], Any]) -> Callable[[Any], Any]:
    """Wrap an answer, or one that is awaited: it speaks the editor's language, also when it has to refuse."""

    def handle(params: Any) -> Any:
        session.speak()
        with _in_words():
            return answer(session, params)

    async def handle_awaited(params: Any) -> Any:
        session.speak()
        with _in_words():
            return await answer(session, params)

    return handle_awaited if iscoroutinefunction(answer) else handle


@contextmanager
def _in_words() -> Iterator[None]:
    """Make what a person can do something about an error of the protocol, in words."""
    try:
        yield
    except AgentLError as error:
        said = "\n".join(each.text() for each in error.diagnostics)
        raise JsonRpcException(said, code=_REQUEST_FAILED) from error
