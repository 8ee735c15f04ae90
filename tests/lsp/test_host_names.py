"""Tools and sensors in the Python file beside a program: found, led to, and renamed when the person agrees."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from agentl.lsp.host_names import names_in
from tests.lsp.client import Client, running
from tests.lsp.places import place, texts

PROGRAM = """AGENT a {
    GOAL g { ACHIEVE lamp.lit == yes }
    OBSERVE { lamp.lit }
    TOOL switch { INPUT { state: Symbol } RISK LOW }
    PLAN p WHEN lamp.lit == no { switch(state = on) }
}
"""
HOST = """from agentl import Host
def build():
    host = Host()
    é = "𝔾"; host.sensors["lamp.lit"] = lambda: é
    @host.tool('switch', idempotent=True)
    def switch(state): return {"note": "switch"}
    host.reconcilers = {"switch": None}
    return host
"""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (HOST, ["lamp.lit", "switch", "switch"]),
        ("host.idempotent_tools.add('a')", ["a"]),
        ("host.idempotent_tools = {'a', 'b'}", ["a", "b"]),
        ("@h.subagent('x')\ndef f(p): ...", ["x"]),
        ("host.tool(f'a{1}')\nhost.tool('a' 'b')\nhost.tool(r'a')\nhost.tool('''a''')\nhost.tool('\\x61')", []),
        ("print('switch')\ntools['switch'] = 1\nhost.tools", []),
        ("def build(:", []),
        ("\0", []),
        ("(" * 5000, []),
    ],
)
def test_names_that_are_written_out_are_found(source: str, found: list[str]) -> None:
    names = names_in(source)
    assert [name.text for name in names] == found
    assert [source[slice(*name.span)] for name in names] == found


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(HOST, encoding="utf-8")
    (tmp_path / "a.agent").write_text(PROGRAM, encoding="utf-8")
    return tmp_path / "a.agent"


def test_they_are_implementations_and_references_and_a_rename_says_what_it_leaves(
    client: Client, program: Path
) -> None:
    uri, host = program.as_uri(), program.with_suffix(".py").as_uri()
    client.open(uri, PROGRAM)
    identifier, at = types.TextDocumentIdentifier(uri), place(PROGRAM, "{ sw|itch(")
    found = client.ask(types.TEXT_DOCUMENT_IMPLEMENTATION, types.ImplementationParams(identifier, at))
    assert texts(HOST, [each.range for each in found]) == ["4: switch", "6: switch"]
    lit = place(PROGRAM, "OBSERVE { lamp.l|it")
    (sensor,) = client.ask(types.TEXT_DOCUMENT_IMPLEMENTATION, types.ImplementationParams(identifier, lit))
    assert sensor == types.Location(host, types.Range(types.Position(3, 33), types.Position(3, 36)))
    context = types.ReferenceContext(include_declaration=True)
    found = client.ask(types.TEXT_DOCUMENT_REFERENCES, types.ReferenceParams(context, identifier, at))
    assert [each.uri for each in found].count(host) == 2
    edit = client.ask(types.TEXT_DOCUMENT_RENAME, types.RenameParams(identifier, at, "toggle"))
    assert list(edit.changes) == [uri]
    assert client.shown == [f"the host names `switch` too, and was not changed: {host_places(program)}"]
    client.shown.clear()
    client.close(uri)


def host_places(program: Path) -> str:
    host = program.with_suffix(".py")
    return f"{host}:5, {host}:7"


def test_an_editor_that_can_ask_renames_them_when_the_person_agrees(program: Path) -> None:
    with running(folder=program.parent, asks_before_edits=True) as client:
        client.open(program.as_uri(), PROGRAM)
        params = types.RenameParams(
            types.TextDocumentIdentifier(program.as_uri()), place(PROGRAM, "{ sw|itch("), "toggle"
        )
        edit = client.ask(types.TEXT_DOCUMENT_RENAME, params)
        own, host = edit.document_changes
        assert (own.text_document.version, len(own.edits)) == (1, 2)
        assert [each.annotation_id for each in host.edits] == ["host", "host"]
        assert edit.change_annotations["host"].needs_confirmation
