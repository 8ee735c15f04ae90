"""Files that were saved, or changed outside of the editor: modules, hosts, configurations, baselines."""

from __future__ import annotations

from lsprotocol import types

from agentl.lsp.session import Session


def saved(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    session.look_at_all()


def changed(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    session.look_at_all()


HANDLERS = {
    types.TEXT_DOCUMENT_DID_SAVE: (saved, types.SaveOptions(include_text=False)),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (changed, None),
}
