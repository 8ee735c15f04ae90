"""Where something is declared; of a path, where it is given a value; of an IMPORT, the file."""

from __future__ import annotations

from lsprotocol import types

from agentl.lsp.session import Session
from agentl.lsp.view import View
from agentl.syntax.module_files import NotFoundHere, module_name


def definition(session: Session, params: types.DefinitionParams) -> list[types.Location]:
    """Return all places; none for a word that nothing declares."""
    view = session.view(params.text_document.uri)
    if view is None:
        return []
    subject = view.subject_at(params.position)
    if subject is None:
        return _imported(session, view, params.position)
    places = (view.location(mention) for mention in view.index.declarations(subject))
    return [place for place in places if place is not None]


def _imported(session: Session, view: View, position: types.Position) -> list[types.Location]:
    """Return the beginning of the file that an IMPORT names at a position."""
    tree, offset = view.snapshot.tree, view.offset(position)
    for branch in view.index.files[0].imports:
        start, end = tree.span(branch.first, branch.last)
        if branch.kind != "import_file" or not start <= offset <= end:
            continue
        try:
            source = view.snapshot.parsed.modules.get(module_name("", "file", tree.name(branch.parts[1])))
        except NotFoundHere:
            source = None
        if source is not None:
            return [
                types.Location(session.sources.uri(source), types.Range(types.Position(0, 0), types.Position(0, 0)))
            ]
    return []


HANDLERS = {types.TEXT_DOCUMENT_DEFINITION: (definition, None)}
