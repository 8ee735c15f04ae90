"""A new name for everything a name names, in all files; refused with a reason where that would not do."""

from __future__ import annotations

import re

from lsprotocol import types

from agentl.diagnostics import AgentLError
from agentl.lsp.index import Mention, Subject
from agentl.lsp.locations import is_shipped, name_of
from agentl.lsp.names import Kind, Use
from agentl.lsp.neighbours import in_hosts, mentions
from agentl.lsp.session import Session
from agentl.lsp.view import View
from agentl.messages import editor as messages
from agentl.syntax.tables import load_tables

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# What a run gives a value itself (semantics.md §27), as the first segment of a path.
_RUN = frozenset(
    (
        *("action", "answer", "confidence", "event", "goal", "goals", "hypotheses", "hypothesis", "judge"),
        *("last_action", "message", "operator", "payload", "planner", "reason", "result", "sensors", "SHARED"),
        *("shared", "tools"),
    )
)
_IN_HOST = "host"
_PARTS = {Kind.MODULE, Kind.MESSAGE, Kind.EVENT}
_ALIKE = {
    Kind.INPUT: (Kind.PATH, Kind.VARIABLE),
    Kind.OUTPUT: (Kind.PATH, Kind.VARIABLE),
    Kind.PLAN: (Kind.TOOL,),
    Kind.TOOL: (Kind.PLAN, Kind.PATH),
    Kind.VARIABLE: (Kind.PATH, Kind.VARIABLE),
}


class RenameRefused(AgentLError):
    """A name cannot be changed, or not to this one."""


def prepare(session: Session, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Return the name that would be changed. Raises RenameRefused."""
    view = session.view(params.text_document.uri)
    mention = view.mention_at(params.position) if view is not None else None
    if view is None or mention is None:
        return None
    _refuse_fixed(view, view.index.subject_of(mention))
    token = mention.last
    at = view.range(view.snapshot.tree.span(token, token))
    return None if at is None else types.PrepareRenamePlaceholder(at, view.snapshot.tree.name(token))


def rename(session: Session, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Return the edits that give a new name. Raises RenameRefused, with the reason."""
    document = session.documents.get(params.text_document.uri)
    if document is None:
        return None
    snapshot = session.fresh(document)
    if not snapshot.is_good:
        raise RenameRefused.of(messages.RENAME_NEEDS_PROGRAM)
    view = View(document, snapshot, session.sources)
    mention = view.mention_at(params.position)
    if mention is None:
        raise RenameRefused.of(messages.NOTHING_TO_RENAME)
    subject = view.index.subject_of(mention)
    _refuse_fixed(view, subject)
    _refuse_name(view, subject, params.new_name)
    found = mentions(session, view, subject)
    edits: dict[str, dict[tuple[int, int], types.TextEdit]] = {}
    for program, each in found:
        last = program.index.files[each.file].tree.span(each.last, each.last)
        location = program.location_of(each.file, last)
        if location is not None:
            start = location.range.start
            place = edits.setdefault(location.uri, {})
            place[start.line, start.character] = types.TextEdit(location.range, params.new_name)
    by_file = {uri: list(places.values()) for uri, places in edits.items()}
    hosts = in_hosts(session, found, subject)
    if not session.asks_before_edits:
        if hosts:
            session.warn(messages.HOST_NAMES_IT, name=subject.text, files=", ".join(sorted(map(_shown, hosts))))
        return types.WorkspaceEdit(changes=by_file)
    return _annotated(session, by_file, hosts, params.new_name)


def _shown(location: types.Location) -> str:
    return f"{name_of(location.uri)}:{location.range.start.line + 1}"


def _annotated(
    session: Session, by_file: dict[str, list[types.TextEdit]], hosts: list[types.Location], new: str
) -> types.WorkspaceEdit:
    """Return edits of which those in hosts are asked about first: what a host is called is not ours to know."""
    changes: list[types.TextDocumentEdit] = []
    for uri, edits in by_file.items():
        document = session.documents.get(uri)
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri, document.version if document else None)
        changes.append(types.TextDocumentEdit(identifier, list(edits)))
    for uri in sorted({each.uri for each in hosts}):
        asked = [types.AnnotatedTextEdit(_IN_HOST, each.range, new) for each in hosts if each.uri == uri]
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri, None)
        changes.append(types.TextDocumentEdit(identifier, list(asked)))
    label = types.ChangeAnnotation(messages.IN_HOST.text(), needs_confirmation=True)
    return types.WorkspaceEdit(document_changes=list(changes), change_annotations={_IN_HOST: label})


def _refuse_fixed(view: View, subject: Subject) -> None:
    """Refuse what is no name of the program's own."""
    declared = view.index.declarations(subject)
    if subject.kind in (Kind.FUNCTION, Kind.TYPE, Kind.WORD):
        raise RenameRefused.of(messages.RENAME_OF_LANGUAGE, name=subject.text)
    is_shared = subject.text.startswith("SHARED.")
    if subject.kind is Kind.PATH and not is_shared and subject.text.split(".")[0] in _RUN:
        raise RenameRefused.of(messages.RENAME_OF_RUN, name=subject.text)
    if subject.kind in _PARTS and "." in subject.text:
        raise RenameRefused.of(messages.RENAME_OF_DOTTED, name=subject.text)
    if not declared:
        raise RenameRefused.of(messages.RENAME_OF_UNDECLARED, name=subject.text)
    for mention in declared:
        source = view.snapshot.source_of(mention.file)
        if is_shipped(source):
            raise RenameRefused.of(messages.RENAME_OF_SHIPPED, name=subject.text, file=source.name)


def _refuse_name(view: View, subject: Subject, new: str) -> None:
    """Refuse a name that could not be written at every place, or that something else has."""
    if not _NAME.fullmatch(new):
        raise RenameRefused.of(messages.RENAME_TO_NO_NAME, name=new)
    if new in load_tables().words:
        raise RenameRefused.of(messages.RENAME_TO_RESERVED, name=new)
    is_first = subject.kind is Kind.PATH and "." not in subject.text
    if is_first and new in _RUN:
        raise RenameRefused.of(messages.RENAME_TO_RUN, name=new)
    before, _, _ = subject.text.rpartition(".")
    other = subject._replace(text=f"{before}.{new}" if before and subject.kind is Kind.PATH else new)
    for taken in (other, *_beside(subject, new)):
        clash = _clash(view, taken)
        if clash is not None:
            file, line = clash
            raise RenameRefused.of(messages.RENAME_CLASHES, name=new, file=file, line=line)


def _beside(subject: Subject, new: str) -> list[Subject]:
    """Return what is of another kind but reads alike: an input stands where a path may stand, for example."""
    return [subject._replace(kind=kind, text=new, owner="") for kind in _ALIKE.get(subject.kind, ())]


def _clash(view: View, subject: Subject) -> tuple[str, int] | None:
    """Return where a name stands already that the new one would fall together with."""
    index = view.index
    found: list[Mention] = [
        each for each in index.mentions(subject) if each.name.use in (Use.DECLARES, Use.WRITES, Use.SUPPOSES, Use.READS)
    ]
    if not found:
        return None
    source = view.snapshot.source_of(found[0].file)
    return source.name, source.position(index.span(found[0]).start).line


HANDLERS = {
    types.TEXT_DOCUMENT_PREPARE_RENAME: (prepare, None),
    types.TEXT_DOCUMENT_RENAME: (rename, types.RenameOptions(prepare_provider=True)),
}
