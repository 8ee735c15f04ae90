"""A rename there and back is nothing, and in between the program means the same under other names."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lsprotocol import types

from agentl.analysis.check import check
from agentl.diagnostics import Edit, Source, edited
from agentl.lsp.document import Document
from agentl.lsp.names import Use
from agentl.lsp.positions import Lines
from agentl.lsp.requests.rename import RenameRefused, rename
from agentl.lsp.server import make_server
from agentl.lsp.session import Session
from agentl.lsp.text import SyncedText
from agentl.syntax.parser import parse

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("examples/*/*.agent"), *ROOT.glob("stdlib/*.agent")])
URI = "untitled:a"
NEW = "quite_another_name"


def renamed(session: Session, text: str, offset: int, new: str) -> str:
    session.documents[URI] = Document(URI, SyncedText(text, "<untitled:a>", "utf-16"), 1)
    lines = Lines(text)
    params = types.RenameParams(types.TextDocumentIdentifier(URI), lines.position(offset), new)
    edit = rename(session, params)
    assert edit is not None
    assert edit.changes is not None
    assert list(edit.changes) == [URI]
    return edited(text, [Edit(lines.span(each.range), each.new_text) for each in edit.changes[URI]])


def there_and_back(file: Path, count: int | None) -> int:
    text = file.read_text(encoding="utf-8").replace("IMPORT std", "# IMPORT std").replace("USE std", "# USE std")
    session = make_server().session
    source = Source(text, "<untitled:a>")
    before = errors(source)
    document = Document(URI, SyncedText(text, "<untitled:a>", "utf-16"), 1)
    names = [name for name in document.index.names[0] if name.use in (Use.DECLARES, Use.WRITES)]
    if count is not None:
        names = random.Random(file.stem).sample(names, min(count, len(names)))
    done = 0
    for name in names:
        start = document.tree.tokens.starts[name.last]
        try:
            between = renamed(session, text, start, NEW)
        except RenameRefused:
            continue
        assert errors(Source(between, "<untitled:a>")) == before, name
        old = document.tree.tokens.texts[name.last]
        assert between.replace(NEW, old) == text, name
        done += 1
        try:
            assert renamed(session, between, between.index(NEW), old) == text, name
        except RenameRefused as refused:
            # Two things had one name already.
            assert refused.code == "C160", name
    return done


def errors(source: Source) -> list[str]:
    """What must stay; warnings may go by what names say, such as W119."""
    return sorted(each.code for each in check(parse(source)) if each.severity == "error")


@pytest.mark.parametrize("file", FILES[::6], ids=lambda file: file.stem)
def test_some_names_of_an_example(file: Path) -> None:
    assert there_and_back(file, 6)


@pytest.mark.soak
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_name_of_every_example(file: Path) -> None:
    assert there_and_back(file, None)
