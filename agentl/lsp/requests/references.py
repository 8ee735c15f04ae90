"""Where else something is named: in all files of the program, or marked in the one that is read."""

from __future__ import annotations

from lsprotocol import types

from agentl.lsp.names import Use
from agentl.lsp.neighbours import in_hosts, mentions
from agentl.lsp.session import Session


def references(session: Session, params: types.ReferenceParams) -> list[types.Location]:
    """Return all places, those in programs that share a file with this one and in hosts among them."""
    view = session.view(params.text_document.uri)
    subject = view.subject_at(params.position) if view is not None else None
    if view is None or subject is None:
        return []
    found = mentions(session, view, subject)
    wanted = [
        program.location(mention)
        for program, mention in found
        if params.context.include_declaration or mention.name.use is not Use.DECLARES
    ]
    wanted += in_hosts(session, found, subject)
    places = {(place.uri, place.range.start.line, place.range.start.character): place for place in wanted if place}
    return [places[key] for key in sorted(places)]


def highlights(session: Session, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """Return the places in the document itself; writing ones are told apart."""
    view = session.view(params.text_document.uri)
    subject = view.subject_at(params.position) if view is not None else None
    if view is None or subject is None:
        return []
    marks = []
    for mention in view.index.mentions(subject):
        at = view.range(view.index.span(mention)) if mention.file == 0 else None
        if at is not None:
            reads = mention.name.use in (Use.READS, Use.REFERS)
            kind = types.DocumentHighlightKind.Read if reads else types.DocumentHighlightKind.Write
            marks.append(types.DocumentHighlight(at, kind))
    return marks


HANDLERS = {
    types.TEXT_DOCUMENT_REFERENCES: (references, None),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (highlights, None),
}
