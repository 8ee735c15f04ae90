"""Where a name is mentioned beyond one program: in those that share a file with it, open or on disk, and in hosts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol.types import Location

from agentl.analysis.files import find_programs
from agentl.diagnostics import LexError
from agentl.lsp.document import Document
from agentl.lsp.host_names import locations
from agentl.lsp.index import Mention, Subject
from agentl.lsp.locations import is_shipped, path_of
from agentl.lsp.session import Session
from agentl.lsp.snapshot import take
from agentl.lsp.text import SyncedText
from agentl.lsp.view import View
from agentl.syntax.parser import read_source

# More programs than this are not looked at: the folder is then no project.
_MOST_PROGRAMS = 2_000


def mentions(session: Session, view: View, subject: Subject) -> list[tuple[View, Mention]]:
    """Return every mention of a subject, each with the program it was found in; some may be found in several."""
    own = [(view, mention) for mention in view.index.mentions(subject)]
    shared = {
        session.sources.uri(view.snapshot.source_of(mention.file)): mention.name.scope
        for _, mention in own
        if not is_shipped(view.snapshot.source_of(mention.file))
    }
    others = [
        (other, mention)
        for other in _programs_with(session, view, set(shared))
        for mention in _mentions_in(session, other, subject, shared)
    ]
    return own + others


def in_hosts(session: Session, found: list[tuple[View, Mention]], subject: Subject) -> list[Location]:
    """Return where the hosts of the programs in which something was found have its name."""
    paths = {path for view, _ in found if (path := path_of(view.document.uri)) is not None}
    return [place for path in sorted(paths) for place in locations(path, subject, session.sources.encoding)]


def _mentions_in(session: Session, view: View, subject: Subject, shared: dict[str, int]) -> list[Mention]:
    for file in range(len(view.index.files)):
        scope = shared.get(session.sources.uri(view.snapshot.source_of(file)))
        if scope is not None:
            return view.index.mentions(subject._replace(scope=(file, scope)))
    return []


def _programs_with(session: Session, view: View, uris: set[str]) -> Iterator[View]:
    """Yield the other programs that hold one of these texts."""
    for uri in list(session.documents):
        other = session.view(uri)
        if uri != view.document.uri and other is not None and uris & _texts(session, other):
            yield other
    names = {path.name for uri in uris if (path := path_of(uri)) is not None}
    for path in _on_disk(session, names):
        uri = path.as_uri()
        if path not in session.sources.texts():
            other = _unopened(session, path, uri)
            if other is not None and uris & _texts(session, other):
                yield other


def _texts(session: Session, view: View) -> set[str]:
    return {session.sources.uri(view.snapshot.source_of(file)) for file in range(len(view.index.files))}


def _on_disk(session: Session, names: set[str]) -> Iterator[Path]:
    """Yield the programs in the editor's folders that say one of these file names, as an IMPORT does."""
    found = find_programs(str(folder) for folder in session.folders).paths if session.folders else ()
    for name in found[:_MOST_PROGRAMS]:
        path = Path(name).resolve()
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if any(name.encode() in data for name in names):
            yield path


def _unopened(session: Session, path: Path, uri: str) -> View | None:
    try:
        source = read_source(path)
    except (OSError, LexError):
        return None
    document = Document(uri, SyncedText(source.text, source.name, session.sources.encoding), None)
    document.know(take(document.text.source, 0, session.sources.texts().get))
    return None if document.latest is None else View(document, document.latest, session.sources)
