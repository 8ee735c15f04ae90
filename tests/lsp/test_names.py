"""Definition, references, rename and hover, asked by a real client."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from agentl.diagnostics import Source, edited
from agentl.lsp.collect import collect
from agentl.lsp.index import Index
from agentl.lsp.names import Use
from agentl.lsp.positions import Lines
from agentl.lsp.tree import grow
from tests.lsp.client import Client, running
from tests.lsp.places import place, texts

ROOT = Path(__file__).parents[2]
PROGRAM = """AGENT desk {
    GOAL settled { ACHIEVE claim.paid == yes }
    OBSERVE { claim.amount  claim.paid }
    BELIEF { budget.left = 100 }
    HYPOTHESIS fraud { PRIOR 10%  EVIDENCE { claim.amount > 90 LIKELIHOOD 80% GIVEN_NOT 10% } }
    TOOL refund {
        DESCRIPTION "Pays a claim back."
        INPUT { amount: Number  to: String BIND claim.payee }
        OUTPUT { state: Symbol }
        SIDE_EFFECT { account.balance }
        RISK HIGH
    }
    TOOL log { INPUT { line: String } }
    POLICY {
        DEFAULT DENY
        ALLOW refund WHEN amount <= budget.left
        NEVER refund WHEN tools.refund.in_doubt == true
        NEVER * WHEN claim.paid == yes
    }
    PLAN pay WHEN claim.paid == no {
        refund(amount = claim.amount, to = "Ada")
        IF refund.state == done THEN { SET budget.left = budget.left - claim.amount  tell }
        FOREACH item IN claim.items { log(line = item.text) }
    }
    PLAN tell { IF P(fraud) > 50% THEN ESCALATE }
    SCENARIO it_pays { GIVEN { claim.paid = no  refund.state = done } EXPECT CALL refund }
}
"""


@pytest.fixture
def ask(client: Client, opened: Callable[[str], str]) -> Callable[..., Any]:
    uri = opened(PROGRAM)

    def asked(method: str, marked: str, **more: Any) -> Any:
        kind = types.METHOD_TO_TYPES[method][2]
        at = place(PROGRAM, marked)
        return client.ask(method, kind(text_document=types.TextDocumentIdentifier(uri), position=at, **more))

    return asked


@pytest.mark.parametrize(
    ("marked", "declared"),
    [
        ("        ref|und(amount =", ["5: refund"]),
        ("refund(amo|unt = claim", ["7: amount"]),
        ("WHEN amou|nt <= budget", ["7: amount"]),
        ("NEVER refund WHEN tools.ref|und.in", ["5: refund"]),
        ("IF refund.sta|te ==", ["8: state"]),
        ("claim.amount  te|ll }", ["24: tell"]),
        ("IF P(fra|ud)", ["4: fraud"]),
        ("amount <= budget.le|ft", ["3: budget.left", "21: budget.left"]),
        ("line = it|em.text", ["22: item"]),
        ("EXPECT CALL refund|", ["5: refund"]),
        ("ACHIEVE claim.paid == y|es", []),
        ("DEFAULT D|ENY", []),
    ],
)
def test_definition(ask: Callable[..., Any], marked: str, declared: list[str]) -> None:
    found = ask(types.TEXT_DOCUMENT_DEFINITION, marked)
    assert texts(PROGRAM, [each.range for each in found]) == declared


def test_references_are_all_places_that_mean_the_same(ask: Callable[..., Any]) -> None:
    context = types.ReferenceContext(include_declaration=True)
    found = ask(types.TEXT_DOCUMENT_REFERENCES, "TOOL ref|und", context=context)
    places = [
        "5: refund",
        "15: refund",
        "16: refund",
        "16: refund",
        "20: refund",
        "21: refund",
        "25: refund",
        "25: refund",
    ]
    assert texts(PROGRAM, [each.range for each in found]) == places
    without = ask(
        types.TEXT_DOCUMENT_REFERENCES, "TOOL ref|und", context=types.ReferenceContext(include_declaration=False)
    )
    assert without == found[1:]


def test_a_segment_of_a_path_stands_for_all_below_it(ask: Callable[..., Any]) -> None:
    marks = ask(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "BELIEF { bud|get.left")
    assert texts(PROGRAM, [each.range for each in marks]) == ["3: budget", "15: budget", "21: budget", "21: budget"]
    assert [each.kind for each in marks] == [3, 2, 3, 2]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("        ref|und(amount =", ["refund(amount: Number, to: String) -> state", "**HIGH**", "Pays a claim back"]),
        ("TOOL ref|und", ["ALLOW refund WHEN amount <= budget.left", "NEVER * WHEN", "DEFAULT DENY"]),
        ("OBSERVE { claim.amo|unt", ["Given a value by", "[3](", "Read by", "[5]("]),
        ("        AL|LOW refund", ["Holds for: `refund`", "`budget.left`: [4](", "`amount`: [8]("]),
        ("NEVER * WH|EN claim", ["every tool", "`claim.paid`: [3]("]),
        ("PLAN pay WH|EN", ["The condition reads", "`claim.paid`"]),
        ("HYPOTHESIS fra|ud", ["prior 10%", "threshold 0.90", "evidence: 1"]),
        ("IF P|(fraud)", ["posterior"]),
        ("INPUT { amount: Number  t|o:", ["to: String", "input of `refund`", "bound to `claim.payee`"]),
        ("OUTPUT { st|ate", ["refund.state", "Read by"]),
        ("PLAN te|ll", ["Named by", "[22]("]),
        ("FOREACH it|em", ["each turn of"]),
    ],
)
def test_hover(ask: Callable[..., Any], marked: str, said: list[str]) -> None:
    text = ask(types.TEXT_DOCUMENT_HOVER, marked).contents.value
    assert [each for each in said if each not in text] == [], text


def test_hover_at_nothing_is_nothing(ask: Callable[..., Any]) -> None:
    assert ask(types.TEXT_DOCUMENT_HOVER, "PLAN pay WHEN claim.paid == no |{") is None


def renamed(client: Client, uri: str, text: str, marked: str, new: str) -> str:
    params = types.RenameParams(types.TextDocumentIdentifier(uri), place(text, marked), new)
    edit = client.ask(types.TEXT_DOCUMENT_RENAME, params)
    return after(text, edit.changes[uri])


def after(text: str, edits: list[types.TextEdit]) -> str:
    """Return a text with the edits of the editor made."""
    from agentl.diagnostics import Edit

    lines = Lines(text)
    return edited(text, [Edit(lines.span(each.range), each.new_text) for each in edits])


def test_rename_changes_what_means_the_same_and_nothing_else(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(PROGRAM)
    new = renamed(client, uri, PROGRAM, "TOOL ref|und", "pay_back")
    assert "refund" not in new
    assert new.replace("pay_back", "refund") == PROGRAM
    new = renamed(client, uri, PROGRAM, "BELIEF { bud|get.left", "purse")
    assert new == PROGRAM.replace("budget", "purse")
    new = renamed(client, uri, PROGRAM, "INPUT { amo|unt", "sum")
    assert new.count("sum") == 3
    assert "claim.amount" in new


@pytest.mark.parametrize(
    ("marked", "new", "reason"),
    [
        ("TOOL ref|und", "log", "`log` is taken: <untitled"),
        ("TOOL ref|und", "PLAN", "`PLAN` is a reserved word"),
        ("TOOL ref|und", "re fund", "`re fund` is no name"),
        ("claim.paid == y|es }", "no", "nothing in the program declares `yes`"),
        ("DEFAULT DE|NY", "ALLOW", "`DENY` is a word of the language"),
        ("BELIEF { budget.le|ft", "amount", ""),
        ("OBSERVE { cla|im.amount", "budget", "`budget` is taken"),
        ("OBSERVE { claim.am|ount", "paid", "`paid` is taken"),
        ("GOAL settled { ACHI|EVE", "x", "there is no name here"),
    ],
)
def test_rename_is_refused_with_a_reason(ask: Callable[..., Any], marked: str, new: str, reason: str) -> None:
    if not reason:
        assert ask(types.TEXT_DOCUMENT_RENAME, marked, new_name=new) is not None
        return
    with pytest.raises(JsonRpcException, match=reason):
        ask(types.TEXT_DOCUMENT_RENAME, marked, new_name=new)


def test_what_was_typed_over_is_not_answered_from_the_old_text(client: Client, opened: Callable[[str], str]) -> None:
    uri = opened(PROGRAM)
    client.findings(uri, 1)
    # Above the names a comment is begun and not ended: the text is no program, and everything has moved.
    client.change(uri, 2, (types.Range(types.Position(0, 0), types.Position(0, 0)), "AGENT broken {\n"))
    at = place(PROGRAM, "        ref|und(amount =")
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(at.line + 1, at.character))
    (found,) = client.ask(types.TEXT_DOCUMENT_DEFINITION, params)
    assert found.range.start == types.Position(6, 9)
    over = types.Range(types.Position(at.line + 1, 8), types.Position(at.line + 1, 14))
    client.change(uri, 3, (over, "other"))
    assert client.ask(types.TEXT_DOCUMENT_DEFINITION, params) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "money.agent").write_text(
        "MODULE money {\n    TOOL pay { INPUT { sum: Number } RISK LOW }\n"
        "    POLICY { NEVER pay WHEN purse.closed == yes }\n}\n",
        encoding="utf-8",
    )
    for name in ("one", "two"):
        (tmp_path / f"{name}.agent").write_text(
            'IMPORT "lib/money.agent"\n'
            f"AGENT {name} {{\n    USE money\n    GOAL g {{ ACHIEVE x.y == 1 }}\n    OBSERVE {{ x.y  purse.closed }}\n"
            "    PLAN p WHEN x.y == 0 { pay(sum = 1) }\n}\n",
            encoding="utf-8",
        )
    (tmp_path / "other.agent").write_text(
        "AGENT other { GOAL g { ACHIEVE x.y == 1 } TOOL pay { RISK LOW } PLAN p WHEN x.y == 0 { pay() } }\n",
        encoding="utf-8",
    )
    return tmp_path


def test_names_lead_into_other_files_and_are_renamed_there(folder: Path) -> None:
    one, two, lib = (folder / name for name in ("one.agent", "two.agent", "lib/money.agent"))
    text = one.read_text(encoding="utf-8")
    with running(folder=folder) as client:
        client.open(one.as_uri(), text)
        assert [each.code for each in client.findings(one.as_uri(), 1) if each.severity == 1] == []
        identifier = types.TextDocumentIdentifier(one.as_uri())
        (found,) = client.ask(
            types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(identifier, place(text, "{ p|ay("))
        )
        assert (found.uri, found.range.start) == (lib.as_uri(), types.Position(1, 9))
        (found,) = client.ask(
            types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(identifier, place(text, 'IMPORT "lib|/'))
        )
        assert found.uri == lib.as_uri()
        edit = client.ask(types.TEXT_DOCUMENT_RENAME, types.RenameParams(identifier, place(text, "{ p|ay("), "remit"))
        assert {uri: len(edits) for uri, edits in edit.changes.items()} == {
            one.as_uri(): 1,
            two.as_uri(): 1,
            lib.as_uri(): 2,
        }
        # What is typed into the module and not yet saved is what its programs see.
        spelled = lib.as_uri().replace("money", "m%6Fney")
        client.open(spelled, lib.read_text(encoding="utf-8").replace("TOOL pay", "TOOL bay"))
        client.findings(spelled, 1)
        client.wait_until(lambda: "E001" in [each.code for each in client.published[one.as_uri()][-1].diagnostics])


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*/*.agent")), ids=lambda file: file.stem)
def test_every_name_of_the_examples_is_found_where_it_is_declared(file: Path) -> None:
    source = Source(file.read_text(encoding="utf-8"), str(file))
    tree = grow(source)
    index = Index([collect(tree)])
    assert tree.is_whole
    for name in index.names[0]:
        mention = index.mention_at(0, tree.tokens.starts[name.last])
        assert mention is not None
        subject = index.subject_of(mention)
        assert mention in index.mentions(subject)
        if name.use is Use.DECLARES:
            assert name in [each.name for each in index.declarations(subject)]
