"""Where the host implements a tool, or reads a sensor: the Python file beside the program."""

from __future__ import annotations

from lsprotocol import types

from agentl.lsp.host_names import locations
from agentl.lsp.locations import path_of
from agentl.lsp.session import Session


def implementation(session: Session, params: types.ImplementationParams) -> list[types.Location]:
    view = session.view(params.text_document.uri)
    subject = view.subject_at(params.position) if view is not None else None
    path = path_of(params.text_document.uri)
    return [] if subject is None or path is None else locations(path, subject, session.sources.encoding)


HANDLERS = {types.TEXT_DOCUMENT_IMPLEMENTATION: (implementation, None)}
