"""Outline, folding, selection, formatting and colours, asked by a real client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from agentl.diagnostics import Edit, Source, edited
from agentl.lsp.positions import Lines
from agentl.lsp.requests.semantic_tokens import LEGEND
from agentl.syntax.formatter.formatting import format_source
from tests.lsp.client import Client
from tests.lsp.places import place, texts

ROOT = Path(__file__).parents[2]
PROGRAM = """// Pays claims.
// One at a time.
AGENT desk {
    OBSERVE { claim.paid }
    TOOL refund {
        INPUT { amount: Number }
        OUTPUT { state: Symbol }
    }
    POLICY { DEFAULT DENY }
    PLAN pay WHEN claim.paid == no {
        STEP one { refund(amount = 1) }
    }
}
"""


def outline(symbols: list[types.DocumentSymbol], depth: int = 0) -> Iterator[str]:
    for each in symbols:
        yield f"{'  ' * depth}{each.name} {each.selection_range.start.line}"
        yield from outline(list(each.children or []), depth + 1)


def test_outline(client: Client, opened: Callable[[str], str]) -> None:
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(opened(PROGRAM)))
    assert list(outline(client.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, params))) == [
        "desk 2",
        "  OBSERVE 3",
        "    claim.paid 3",
        "  refund 4",
        "    amount 5",
        "    state 6",
        "  POLICY 8",
        "  pay 9",
        "    one 10",
    ]


def test_folding(client: Client, opened: Callable[[str], str]) -> None:
    params = types.FoldingRangeParams(types.TextDocumentIdentifier(opened(PROGRAM)))
    found = client.ask(types.TEXT_DOCUMENT_FOLDING_RANGE, params)
    assert [(each.start_line, each.end_line) for each in found] == [(0, 1), (2, 11), (4, 6), (9, 10)]


def test_selection_grows_from_the_token_to_the_text(client: Client, opened: Callable[[str], str]) -> None:
    at = place(PROGRAM, "refund(am|ount")
    params = types.SelectionRangeParams(types.TextDocumentIdentifier(opened(PROGRAM)), [at])
    (selection,) = client.ask(types.TEXT_DOCUMENT_SELECTION_RANGE, params)
    seen = []
    while selection is not None:
        seen.append(selection.range)
        selection = selection.parent
    assert texts(PROGRAM, seen[:3]) == ["10: amount", "10: amount = 1", "10: refund(amount = 1)"]
    assert (seen[-1].start.line, seen[-1].end.line) == (0, PROGRAM.count("\n"))


UNTIDY = "AGENT a {\r\n  GOAL g { ACHIEVE x.y==1 }  // why\r\n  PLAN p { f(a=1,b=2)\r\n g() }\r\n}\r\n"


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """Make the edits as an editor does, in its own text."""
    lines = Lines(text)
    return edited(text, [Edit(lines.span(each.range), each.new_text) for each in edits])


def test_formatting_keeps_the_line_ends_of_the_text(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(UNTIDY)
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(types.TextDocumentIdentifier(uri), options)
    tidy = applied(UNTIDY, client.ask(types.TEXT_DOCUMENT_FORMATTING, params))
    assert tidy == format_source(Source(UNTIDY)).replace("\n", "\r\n")
    client.change(uri, 2, tidy)
    assert client.ask(types.TEXT_DOCUMENT_FORMATTING, params) == ()


def test_range_formatting_changes_whole_items_on_the_lines_only(client: Client, opened: Callable[[str], str]) -> None:
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    lines = types.Range(types.Position(1, 3), types.Position(2, 0))
    params = types.DocumentRangeFormattingParams(types.TextDocumentIdentifier(opened(UNTIDY)), lines, options)
    new = applied(UNTIDY, client.ask(types.TEXT_DOCUMENT_RANGE_FORMATTING, params))
    assert new.split("\r\n")[1] == "    GOAL g { ACHIEVE x.y == 1 }  // why"
    assert new.split("\r\n")[2:] == UNTIDY.split("\r\n")[2:]


def test_a_text_that_is_no_program_is_left_as_it_is(client: Client, opened: Callable[[str], str]) -> None:
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(types.TextDocumentIdentifier(opened("AGENT a {")), options)
    assert client.ask(types.TEXT_DOCUMENT_FORMATTING, params) is None


def decoded(text: str, data: list[int]) -> list[tuple[str, str]]:
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    line = column = 0
    seen = []
    for moved, forward, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, column = line + moved, forward if moved else column + forward
        shown = lines[line][2 * column : 2 * (column + length)].decode("utf-16-le")
        mark = "+" if modifiers & 1 else ""
        seen.append((shown, LEGEND.token_types[kind] + mark))
    return seen


COLOURED = """AGENT a { // 𝔾𝔾 an agent
    TOOL t { INPUT { n: Number } }
    PLAN p { t(n = 1) IF order.STATUS == done THEN SET x.y = "a
b" }
    LOOP MAX 2 { OBSERVE }
}
"""


def test_colours(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(COLOURED)
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    seen = decoded(COLOURED, client.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, params).data)
    assert seen[:4] == [("AGENT", "keyword"), ("a", "class+"), ("// 𝔾𝔾 an agent", "comment"), ("TOOL", "keyword")]
    for expected in (
        ("t", "function+"),
        ("t", "function"),
        ("n", "parameter+"),
        ("n", "parameter"),
        ("Number", "type"),
        ("p", "method+"),
        ("STATUS", "variable"),
        ("done", "enumMember"),
        ('"a', "string"),
        ('b"', "string"),
        ("OBSERVE", "keyword"),
        ("2", "number"),
    ):
        assert expected in seen, expected
    lines = types.Range(types.Position(4, 0), types.Position(5, 0))
    part = client.ask(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        types.SemanticTokensRangeParams(types.TextDocumentIdentifier(uri), lines),
    )
    shown = [each for each, _ in decoded(COLOURED, part.data)]
    assert shown == ["LOOP", "MAX", "2", "OBSERVE"]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams),
        (types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams),
        (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams),
    ],
)
def test_a_text_that_is_wrong_in_places_has_them_for_the_rest(
    client: Client, opened: Callable[[str], str], method: str, params: Any
) -> None:
    right = client.ask(method, params(types.TextDocumentIdentifier(opened(PROGRAM))))
    wrong = client.ask(method, params(types.TextDocumentIdentifier(opened(PROGRAM.replace("STEP one {", "STEP {")))))
    assert right
    assert wrong
