"""Completion, asked by a real client: what is offered at a place, and that all of it fits there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from agentl.diagnostics import Source
from agentl.lsp.expecting import Expecting
from agentl.lsp.tree import grow
from agentl.syntax.tables import load_tables
from tests.lsp.client import Client

ROOT = Path(__file__).parents[2]
BEFORE = """IMPORT std.durable
AGENT desk {
    USE std.durable
    GOAL settled { ACHIEVE claim.paid == yes }
    OBSERVE { claim.amount  claim.paid }
    HYPOTHESIS fraud { PRIOR 10%  EVIDENCE { claim.amount > 90 LIKELIHOOD 80% GIVEN_NOT 10% } }
    TOOL refund {
        INPUT { amount: Number  to: String }
        OUTPUT { state: Symbol }
        RISK HIGH
    }
    TOOL log { INPUT { line: String } }
    POLICY { DEFAULT DENY  ALLOW refund WHEN claim.paid == no }
    ON MESSAGE hello { log(line = "x") }
    PLAN pay WHEN claim.paid == no { refund(amount = claim.amount, to = "Ada") }
    PLAN tell { log(line = "y") }
"""


@pytest.fixture
def offered(client: Client, opened: Callable[[str], str]) -> Callable[[str], list[str]]:
    """What is offered where `|` stands in a text behind BEFORE, when the text was well before that was typed."""

    def labels(typed: str) -> list[str]:
        uri = opened(BEFORE + "}\n")
        client.findings(uri, 1)
        text, _, rest = typed.partition("|")
        lines = BEFORE.count("\n")
        here = types.Position(lines, 0)
        client.change(uri, 2, (types.Range(here, here), text + rest))
        at = types.Position(lines + text.count("\n"), len(text) - (text.rfind("\n") + 1))
        params = types.CompletionParams(types.TextDocumentIdentifier(uri), at)
        items = client.ask(types.TEXT_DOCUMENT_COMPLETION, params).items
        return [each.label for each in sorted(items, key=lambda each: each.sort_text)]

    return labels


@pytest.mark.parametrize(
    ("typed", "fit", "unfit"),
    [
        ("    |", ["PLAN", "TOOL", "POLICY", "USE"], ["SET", "refund", "AGENT"]),
        ("    PLAN p { |", ["refund", "log", "tell", "SET", "IF", "STEP"], ["TOOL", "claim.paid", "HIGH"]),
        ("    PLAN p { ref|", ["refund"], ["POLICY"]),
        ("    PLAN p { refund(|", ["amount", "to", "claim.amount", "CONFIDENCE"], ["line", "SET"]),
        ("    PLAN p { refund(amount = 1, |", ["to"], ["amount"]),
        ("    PLAN p { refund(amount = |", ["claim.amount", "len", "log"][:2], ["SET", "tell"]),
        ("    PLAN p { IF |", ["claim.paid", "refund.state", "fraud", "NOT", "P"], ["refund", "SET"]),
        ("    PLAN p { IF claim.|", ["amount", "paid"], ["claim.paid", "SET"]),
        ("    PLAN p { IF claim.paid == |", ["no", "yes"], ["SET"]),
        ("    PLAN p { IF claim.paid |", ["THEN", "AND", "OR", "IN"], ["SET", "refund"]),
        ("    PLAN p { IF tools.|", ["refund", "log"], ["claim"]),
        ("    PLAN p { IF tools.refund.|", ["in_doubt", "failures"], ["state"]),
        ("    PLAN p { IF refund.|", ["state"], ["amount"]),
        ("    PLAN p { SET |", ["claim.paid"], ["refund", "SET"]),
        ("    TOOL t { RISK |", ["LOW", "HIGH", "CRITICAL"], ["refund", "UNSET"]),
        ("    TOOL t { INPUT { a: |", ["Number", "String", "Symbol"], ["claim.paid"]),
        ("    TOOL t { |", ["RISK", "INPUT", "REQUIRES"], ["PLAN", "SET"]),
        ("    POLICY { |", ["NEVER", "ALLOW", "REQUIRE", "DEFAULT"], ["PLAN", "refund"]),
        ("    POLICY { NEVER |", ["refund", "log", "*", "SEND"], ["claim.paid", "pay"]),
        ("    POLICY { NEVER refund WHEN action.|", ["risk", "in_doubt", "args"], ["claim"]),
        ("    POLICY { NEVER * WHEN action.risk >= |", ["HIGH", "LOW"], ["SET"]),
        ("    PLAN p { MESSAGE |", ["hello"], ["refund"]),
        ("    USE |", ["std.durable"], ["desk"]),
        ("    SCENARIO s { EXPECT |", ["CALL", "NEVER CALL", "BLOCKED"], ["refund"]),
        ("    SCENARIO s { EXPECT CALL |", ["refund", "log"], ["claim.paid"]),
        ("    SCENARIO s { GIVEN { claim.paid = |", ["yes", "no"], ["SET"]),
        ('    PLAN p { log(line = "a | b', [], ["refund", "SET"]),
        ("    // a comm|ent", [], ["PLAN"]),
    ],
)
def test_completion(offered: Callable[[str], list[str]], typed: str, fit: list[str], unfit: list[str]) -> None:
    found = offered(typed)
    assert [each for each in fit if each not in found] == []
    assert [each for each in unfit if each in found] == []


def test_an_item_is_explained_when_it_is_about_to_be_shown(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(BEFORE + "PLAN p { } }\n")
    at = types.Position(BEFORE.count("\n"), len("PLAN p {"))
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), at)
    items = {each.label: each for each in client.ask(types.TEXT_DOCUMENT_COMPLETION, params).items}
    assert items["refund"].detail == "TOOL (amount, to)"
    told = client.ask(types.COMPLETION_ITEM_RESOLVE, items["refund"])
    assert "ALLOW refund WHEN claim.paid == no" in told.documentation.value


def test_imported_modules_are_offered(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened("IMPORT std.")
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(0, 11))
    found = [each.label for each in client.ask(types.TEXT_DOCUMENT_COMPLETION, params).items]
    assert {"durable", "approval", "secrets"} <= set(found)


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*/*.agent"))[::4], ids=lambda file: file.stem)
def test_at_every_token_of_the_examples_what_stands_there_is_what_is_expected(file: Path) -> None:
    tree = grow(Source(file.read_text(encoding="utf-8")))
    tokens = tree.tokens
    tables = load_tables()
    for at in range(0, len(tokens.kinds) - 1, 7):
        expecting = Expecting(tree.source.text, tokens.starts[at])
        kind = tokens.kinds[at]
        if kind >= tables.first_word and at not in tree.names:
            assert tables.terminals[kind] in expecting.words, (file, tokens.texts[at])
