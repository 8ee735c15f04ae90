"""What a model sees, and what NEVER SEND keeps from it (semantics.md §22)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.runtime.model_context import as_text
from agentl.runtime.withholding import PLACEHOLDER, SendBans
from agentl.values import UNDEFINED, Symbol
from tests.runtime.model import Scripted
from tests.runtime.programs import Played, play


def seen(body: str, **world: Any) -> Any:
    played = play(body, model=Scripted(reason={}, judge={}), **world)
    return [crossing[2] for crossing in played.world.crossings if crossing[0] in {"reason", "judge"}][-1], played


def focus(value: Any, bans: str, using: str = "vault") -> tuple[Any, Played]:
    context, played = seen(
        f"OBSERVE {{ vault }} POLICY {{ {bans} }} LOOP {{ OBSERVE REASON {{ USING {{ {using} }} PRODUCE {{ x }} }} }}",
        sensors={"vault": value},
    )
    return context["focus"], played


def test_using_shows_tick_and_focus_and_nothing_else() -> None:
    context, _ = seen(
        """BELIEF { a.b: jam  c: 1 } TOOL t { } GOAL g { a.b == jam }
        LOOP { REASON { USING { a.b no.where } PRODUCE { x } } }"""
    )
    assert context == {"tick": 1, "focus": {"a.b": "jam", "no.where": "UNDEFINED"}}


@pytest.mark.parametrize("statement", ["REASON { PRODUCE { x } }", 'JUDGE { x: NOUL "?" }'])
def test_without_using_goals_beliefs_tools_and_plans_are_shown(statement: str) -> None:
    context, _ = seen(
        f"""GOAL g {{ MAINTAIN a.b == jam }} BELIEF {{ a.b: jam CONFIDENCE 0.5 SOURCE hand }} OBSERVE {{ w.w }}
        TOOL t {{ INPUT {{ n: Number who }} RISK high }} PLAN p {{ }} PLAN q WHEN 1 == 2 {{ }}
        LOOP {{ EVALUATE_GOALS OBSERVE {statement} }}""",
        sensors={"w.w": 7},
    )
    assert context == {
        "tick": 1,
        "goals": {"g": {"mode": "MAINTAIN", "score": 1.0}},
        "beliefs": {"a.b": {"value": "jam", "confidence": 0.5, "source": "hand"}},
        "tools": {"t": {"risk": "HIGH", "inputs": {"n": "Number", "who": "Any"}}},
        "plans": ["p", "q"],
    }
    json.dumps(context)


def test_a_goal_without_evaluation_has_no_score() -> None:
    context, _ = seen("GOAL g { ACHIEVE a.b == 1 } LOOP { REASON { PRODUCE { x } } }")
    assert context["goals"] == {"g": {"mode": "ACHIEVE", "score": None}}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("two\nlines", "two\nlines"),
        (Symbol("jam"), "jam"),
        (True, "true"),
        (None, "None"),
        (2.5, "2.5"),
        ([1, "a, b", Symbol("c")], '[1, "a, b", c]'),
        ({"k": {"n": UNDEFINED}, 1: (False,)}, '{"k": {"n": UNDEFINED}, 1: [false]}'),
        ({"b", "a"}, '{"a", "b"}'),
    ],
)
def test_values_are_shown_as_text(value: Any, text: str) -> None:
    assert as_text(value) == text


def test_a_banned_path_and_all_below_it_is_withheld_and_the_key_stays() -> None:
    found, played = focus({"key": 1, "owner": "ann"}, "NEVER SEND vault.key", "vault.key vault.key.part vault.owner")
    assert found == {"vault.key": PLACEHOLDER, "vault.key.part": PLACEHOLDER, "vault.owner": "ann"}
    assert played.lines("BLOCKED") == [
        "BLOCKED vault.key is withheld from the model (NEVER SEND)",
        "BLOCKED vault.key.part is withheld from the model (NEVER SEND)",
    ]
    assert played.counted()["redactions"] == 2


def test_a_ban_covers_whole_segments() -> None:
    found, played = focus({"keys": 1}, "NEVER SEND vault.key", "vault.keys vault")
    assert found == {"vault.keys": "1", "vault": '{"keys": 1}'}
    assert "redactions" not in played.counted()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"key": 1, "n": 2}, '{"key": "[withheld]", "n": 2}'),
        ({"key": {"deep": 1}}, '{"key": "[withheld]"}'),
        ([{"key": 1}, {"n": 2}], '[{"key": "[withheld]"}, {"n": 2}]'),
        ([[{"key": 1}]], '[[{"key": "[withheld]"}]]'),
        ({"key.part": 1, "n": 2}, '{"key.part": "[withheld]", "n": 2}'),
        ([5, {"n": 2}], '["[withheld]", {"n": 2}]'),
        ("as text", "[withheld]"),
        (7, "[withheld]"),
    ],
)
def test_a_parent_of_a_banned_path_is_searched_in_depth(value: Any, shown: str) -> None:
    found, _ = focus(value, "NEVER SEND vault.key")
    assert found["vault"] == shown


def test_beliefs_and_goal_scores_of_the_whole_context_are_withheld() -> None:
    context, played = seen(
        """BELIEF { vault.key: 7 CONFIDENCE 0.5 a.b: 1 } GOAL g { a.b == 1 } GOAL h { a.b == 1 }
        POLICY { NEVER SEND vault, goals.g } LOOP { EVALUATE_GOALS REASON { PRODUCE { x } } }"""
    )
    assert context["beliefs"]["vault.key"] == {"value": PLACEHOLDER, "confidence": 0.5, "source": "declared"}
    assert context["beliefs"]["a.b"]["value"] == "1"
    assert [context["goals"][name]["score"] for name in "gh"] == [PLACEHOLDER, 1.0]
    assert played.counted()["redactions"] == 2


def test_plan_selection_withholds_too() -> None:
    played = play(
        """BELIEF { vault: 7 } POLICY { NEVER SEND vault } PLAN p { }
        DECIDE { REASON { USING { vault } } } LOOP { SELECT_PLAN }""",
        model=Scripted({}),
    )
    reasoned, selected = (crossing for crossing in played.world.crossings if crossing[0] != "drain")
    assert reasoned[2]["focus"] == {"vault": PLACEHOLDER}
    assert selected[1]["beliefs"]["vault"]["value"] == PLACEHOLDER


def test_a_ban_changes_no_verdict_and_no_value() -> None:
    body = """OBSERVE {{ vault.n }} TOOL t {{ INPUT {{ n }} }} POLICY {{ {ban} DENY t WHEN vault.n > 5 }}
        LOOP {{ OBSERVE REASON {{ USING {{ vault.n }} PRODUCE {{ x }} }} t(vault.n) }}"""
    for reading in (3, 9):
        calls = [
            play(body.format(ban=ban), sensors={"vault.n": reading}, tools={"t": {}}, model=Scripted({})).world.calls
            for ban in ("", "NEVER SEND vault")
        ]
        assert calls[0] == calls[1] == ([("t", {"n": 3})] if reading == 3 else [])


SECRET = "s3cr3t"
inner = st.recursive(
    st.one_of(st.integers(), st.just("plain")),
    lambda below: st.one_of(
        st.lists(below, max_size=3), st.dictionaries(st.sampled_from(("key", "n", "key.x", "m")), below, max_size=3)
    ),
    max_leaves=6,
)


def _planted(value: Any) -> Any:
    """Everything below a `key` becomes the secret."""
    if isinstance(value, list):
        return [_planted(item) for item in value]
    if isinstance(value, dict):
        return {name: SECRET if name.startswith("key") else _planted(item) for name, item in value.items()}
    return value


@given(value=inner)
def test_no_banned_leaf_gets_out_however_deep_it_lies(value: Any) -> None:
    bans = SendBans(("vault.key", "vault.n.key", "vault.m.key", "vault.n.n.key"))
    noted: list[str] = []
    planted = {"n": value, "m": value, "key": SECRET}
    shallow = {"n": _one_level(value), "m": _one_level(value), "key": SECRET}
    assert SECRET not in repr(bans.clean("vault", shallow, noted.append))
    assert len(noted) >= 1
    whole = SendBans(("vault",))
    assert whole.clean("vault", _planted(planted), noted.append) == PLACEHOLDER


def _one_level(value: Any) -> Any:
    """The secret under `key` of this level, also in lists; what lies deeper is plain."""
    if isinstance(value, list):
        return [_one_level(item) for item in value]
    if isinstance(value, dict):
        return {name: SECRET if name.startswith("key") and "." not in name else 0 for name in value}
    return value
