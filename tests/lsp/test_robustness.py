"""Nothing an editor asks brings the server down: unknown documents, places outside, empty and huge texts, any edits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentl.lsp.server import make_server
from tests.lsp.client import Client, running

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "examples" / "procurement" / "procurement.agent").read_text(encoding="utf-8")
OPTIONS = types.FormattingOptions(tab_size=4, insert_spaces=True)
PLACES = ((0, 0), (3, 7), (10_000, 0), (0, 10_000), (2_000_000_000, 2_000_000_000))


def requests(uri: str, places: Any) -> Iterator[tuple[str, Any]]:
    """Every request of the server about a document, at each of some places."""
    identifier = types.TextDocumentIdentifier(uri)
    yield types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(identifier)
    yield types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(identifier)
    yield types.TEXT_DOCUMENT_FORMATTING, types.DocumentFormattingParams(identifier, OPTIONS)
    yield types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(identifier)
    for line, character in places:
        at = types.Position(line, character)
        area = types.Range(at, types.Position(line + 2, 0))
        yield types.TEXT_DOCUMENT_HOVER, types.HoverParams(identifier, at)
        yield types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(identifier, at)
        yield types.TEXT_DOCUMENT_IMPLEMENTATION, types.ImplementationParams(identifier, at)
        yield types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(identifier, at)
        yield types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, types.DocumentHighlightParams(identifier, at)
        context = types.ReferenceContext(include_declaration=True)
        yield types.TEXT_DOCUMENT_REFERENCES, types.ReferenceParams(context, identifier, at)
        yield types.TEXT_DOCUMENT_PREPARE_RENAME, types.PrepareRenameParams(identifier, at)
        yield types.TEXT_DOCUMENT_RENAME, types.RenameParams(identifier, at, "other_name")
        yield types.TEXT_DOCUMENT_SELECTION_RANGE, types.SelectionRangeParams(identifier, [at])
        yield types.TEXT_DOCUMENT_RANGE_FORMATTING, types.DocumentRangeFormattingParams(identifier, area, OPTIONS)
        yield types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, types.SemanticTokensRangeParams(identifier, area)
        yield types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(identifier, area, types.CodeActionContext([]))


# In words for people, or of the protocol; never an exception of ours.
REFUSED = -32803


def ask_all(client: Client, uri: str, places: Any) -> int:
    count = 0
    for method, params in requests(uri, places):
        try:
            client.ask(method, params)
        except JsonRpcException as error:
            assert error.code == REFUSED, (method, params, error)
        count += 1
    return count


def test_every_request_of_the_server_is_asked_here() -> None:
    answered = {method for method in make_server().protocol.fm.features if method.startswith("textDocument/")}
    assert answered - {method for method, _ in requests("", PLACES)} == {"textDocument/didSave"}


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "\n",
        "\ufeff",
        "AGENT",
        "AGENT a { PLAN p { a.b",
        '"' * 3,
        "/* never closed",
        "}}}}{{{{",
        "AGENT a { " + "(" * 300,
        "AGENT a { PLAN p { IF " + "NOT " * 3000 + "x THEN f() } }",
        "AGENT a { PLAN p { " + "IF x THEN " * 2000 + "f() } }",
        "\x00\u202e\ud7ff" + "é" * 50,
        'IMPORT std.nothing\nIMPORT "../../etc/passwd.agent"\nAGENT a { USE x }',
        EXAMPLE.replace("}", "", 1),
    ],
)
def test_strange_documents(client: Client, opened: Callable[[str], str], text: str | None) -> None:
    uri = "untitled:never-opened" if text is None else opened(text)
    ask_all(client, uri, PLACES)
    if text is not None:
        client.findings(uri, 1)
    assert not client.shown


def test_changes_of_an_unknown_document_and_odd_uris_do_no_harm(client: Client) -> None:
    client.change("untitled:unknown", 1, "x")
    client.close("untitled:unknown")
    for uri in ("", "file:", "file:///", "file:///%00", "http://a/b", "nonsense", "file://host/share/a.agent"):
        client.open(uri, EXAMPLE)
        client.findings(uri, 1)
        ask_all(client, uri, PLACES[:2])
        client.close(uri)
    assert not client.shown


def test_what_is_imported_may_be_anything(client: Client, tmp_path: Path) -> None:
    (tmp_path / "bad.agent").write_bytes(b"MODULE m { \xff }")
    (tmp_path / "folder.agent").mkdir()
    (tmp_path / "self.agent").symlink_to(tmp_path / "self.agent")
    (tmp_path / "wrong.agent").write_text("MODULE m { PLAN }", encoding="utf-8")
    (tmp_path / "a.py").write_text("def build(:", encoding="utf-8")
    names = ("bad", "folder", "self", "wrong", "missing", "a")
    text = "".join(f'IMPORT "{name}.agent"\n' for name in names) + "AGENT a { USE m  GOAL g { ACHIEVE x.y == 1 } }\n"
    (tmp_path / "a.agent").write_text(text, encoding="utf-8")
    uri = (tmp_path / "a.agent").as_uri()
    client.open(uri, text)
    errors = [each for each in client.findings(uri, 1) if each.severity == 1]
    assert {each.range.start.line for each in errors} >= set(range(6))
    ask_all(client, uri, ((0, 9), (3, 9), (6, 16)))
    # What is wrong in a file stands at that file, too.
    assert client.published[(tmp_path / "wrong.agent").as_uri()][-1].diagnostics
    assert not client.shown
    client.close(uri)


@pytest.mark.parametrize("seed", range(2))
def test_after_random_edits_no_request_fails_and_the_text_is_the_editors(client: Client, seed: int) -> None:
    chance = random.Random(seed)
    uri, text = f"untitled:random-{seed}", EXAMPLE
    client.open(uri, text)
    for version in range(2, 9):
        lines = text.split("\n")
        line = chance.randrange(len(lines))
        start = chance.randrange(len(lines[line]) + 1)
        end = min(len(lines[line]), start + chance.randrange(12))
        new = chance.choice(["", "{", "}", "\n", '"', "PLAN ", "a.b", " == ", "𝔾", "/*", "IF ", "("])
        client.change(uri, version, (types.Range(types.Position(line, start), types.Position(line, end)), new))
        lines[line] = lines[line][:start] + new + lines[line][end:]
        text = "\n".join(lines)
        ask_all(client, uri, [(line, start)])
    # The layout of a text is of what the server holds: a program of it is a program of ours.
    client.change(uri, 14, text)
    again = client.ask(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    )
    other = f"untitled:random-again-{seed}"
    client.open(other, text)
    fresh = client.ask(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(types.TextDocumentIdentifier(other))
    )
    assert again == fresh
    assert not client.shown
    client.close(uri)
    client.close(other)


@pytest.mark.soak
def test_a_file_of_100_000_lines() -> None:
    from benchmarks.parsing import AGENT

    text = "".join(AGENT.format(number=number) for number in range(100_000 // AGENT.count("\n")))
    with running() as client:
        client.patience_s = 300
        client.open("untitled:big", text)
        ask_all(client, "untitled:big", ((50_000, 12),))
        client.change("untitled:big", 2, (types.Range(types.Position(0, 0), types.Position(0, 1)), ""))
        assert client.findings("untitled:big", 2)
