"""DELEGATE: a governed action whose result hides nothing (semantics.md §16, policy.md §8)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import Played, play
from tests.runtime.world import InDoubt, Script


def doubt(payload: Any) -> Any:
    raise InDoubt("lost")


def boom(payload: Any) -> Any:
    raise OSError("down")


def delegate(result: Any, fields: str = "", more: str = "", **world: Any) -> Played:
    body = f"{more} LOOP {{ DELEGATE helper {{ {fields} }} }}"
    return play(body, subagents={"helper": result}, **world)


def test_the_payload_has_the_listed_paths_and_what_is_undefined() -> None:
    played = delegate({}, 'TASK "look" INPUT { a.b n ghost }', "BELIEF { a.b: 1 n: jam }")
    assert played.world.calls == [("helper", {"a.b": 1, "n": Symbol("jam"), "ghost": UNDEFINED})]
    kind, name, _, labels = played.world.crossings[0]
    assert (kind, name) == ("delegate", "helper")
    assert labels == {
        "a.b": ["DECLARED", "RUNTIME"],
        "n": ["DECLARED", "RUNTIME"],
        "ghost": ["DECLARED", "RUNTIME"],
        "$control": ["RUNTIME"],
    }
    assert played.lines("DELEGATE") == [
        "DELEGATE helper(a.b=1, n=jam, ghost=UNDEFINED) (look)",
        "DELEGATE helper: {}",
    ]


def test_every_key_is_bound_without_expect_under_label_delegate() -> None:
    played = delegate({"found": 3, "who": untrusted("ann")})
    assert (played["helper.found"], played["found"], played["helper.who"]) == (3, 3, "ann")
    assert played.label("helper.found") == played.label("found") == {"DELEGATE", "RUNTIME"}
    assert played.label("who") == {"DELEGATE", "RUNTIME", "EXTERNAL"}
    assert played["last_action.blocked"] is False


def test_only_expected_keys_get_in_when_there_is_an_expect() -> None:
    played = delegate({"found": 3, "page.proofed": "yes", "extra": 1}, "EXPECT { found page.proofed }")
    assert (played["helper.found"], played["helper.page.proofed"], played["page.proofed"]) == (3, "yes", "yes")
    assert played["helper.extra"] is played["extra"] is UNDEFINED
    assert played.lines("INFO") == ["INFO helper returned undeclared keys (dropped: [extra])"]


def test_a_missing_expected_key_is_an_error_and_the_rest_is_bound() -> None:
    played = delegate({"found": 3}, "EXPECT { found proof }")
    assert played["helper.found"] == 3
    assert played.lines("ERROR") == ["ERROR helper did not return what is expected: [proof] (sub-agent helper())"]


def test_none_is_an_empty_result() -> None:
    played = delegate(None)
    assert played.names("DELEGATE") == ["requested", "returned"] and played.lines("ERROR") == []


@pytest.mark.parametrize("result", [5, "text", [1]])
def test_what_is_no_dict_is_an_error(result: Any) -> None:
    played = delegate(result)
    assert played.names("ERROR") == ["subagent_result"] and played.names("DELEGATE") == ["requested"]


def test_a_sub_agent_that_raises_is_an_error_and_the_next_statement_runs() -> None:
    played = play("LOOP { DELEGATE helper { } SET x = 1 }", subagents={"helper": boom})
    assert played.lines("ERROR") == ["ERROR OSError: down (sub-agent helper())"]
    assert played["x"] == 1 and played["last_action.blocked"] is False
    assert played.counted() == {}


def test_a_sub_agent_nobody_registered_is_an_error() -> None:
    played = play("LOOP { DELEGATE ghost { } }")
    assert played.lines("ERROR") == ["ERROR there is no sub-agent ghost (ghost())"]
    assert played.world.calls == []


def test_in_doubt_is_known_from_the_start_and_set_when_the_outcome_is_unknown() -> None:
    fresh = play("PLAN p { IF a == 1 THEN { DELEGATE helper { } } }", ticks=0)
    assert fresh["tools.helper.in_doubt"] is False
    played = delegate(doubt)
    assert played["tools.helper.in_doubt"] is played["last_action.in_doubt"] is True
    assert played.names("ERROR") == ["in_doubt"]
    assert played["tools.helper.failures"] is UNDEFINED
    blocked = delegate(doubt, more="POLICY { NEVER helper WHEN tools.helper.in_doubt == yes }", ticks=3)
    assert len(blocked.world.calls) == 1


def test_default_deny_covers_it_and_its_risk_is_critical_without_a_tool() -> None:
    assert delegate({}, more="POLICY { DEFAULT DENY }").world.calls == []
    risky = "POLICY { NEVER * WHEN action.risk >= HIGH }"
    assert delegate({}, more=risky).world.calls == []
    assert len(delegate({}, more=f"TOOL helper {{ RISK LOW }} {risky}").world.calls) == 1


def test_a_refusal_is_blocked_and_says_so() -> None:
    played = delegate({"k": 1}, more="POLICY { DENY helper WHEN action.origin == delegate }")
    assert played.world.calls == [] and played["last_action.blocked"] is True
    assert played.counted() == {"blocked": 1}
    (event,) = played.machine.trace.of_kind("BLOCKED")
    assert event.facts["target"] == "helper" and event.name == "refused"


def test_the_approver_is_asked_for_a_delegate_too() -> None:
    rule = "POLICY { REQUIRE APPROVAL FOR helper }"
    assert delegate({}, more=rule).world.calls == []
    agreed = delegate({}, more=rule, approver=lambda request: request.kind == "delegate")
    assert len(agreed.world.calls) == 1


def test_no_contract_no_effect_no_dirty_mark_no_breaker_no_attestation() -> None:
    tool = """BELIEF { v: 5 } TOOL helper { INPUT { v: String } OUTPUT { k: Number } SIDE_EFFECT { s.t } RISK LOW
        EFFECT { e.f = 1 } REQUIRES { 1 == 2 } }"""
    played = delegate({"k": "no number"}, "INPUT { v }", tool)
    assert played["helper.k"] == "no number"
    assert played["s.t.dirty"] is played["e.f"] is UNDEFINED
    assert played.machine.state.attestations == {}
    assert len(delegate(boom, more=tool, ticks=6).world.calls) == 6


def test_an_argument_is_judged_under_its_path() -> None:
    guard = "POLICY { NEVER helper WHEN action.args.mail.body == secret }"
    assert delegate({}, "INPUT { mail.body }", f"BELIEF {{ mail.body: secret }} {guard}").world.calls == []


def test_keys_a_sub_agent_chose_hide_nothing_now_or_later() -> None:
    body = """BELIEF { helper.mode: manual } OBSERVE { helper.level } TOOL helper { OUTPUT { size } RISK LOW }
        LOOP { DELEGATE helper { } SET free = helper.free OBSERVE UPDATE_BELIEFS helper() }"""
    result = {"mode": "auto", "level": 1, "size": 2, "free": 3, "in_doubt": True}
    played = play(body, subagents={"helper": result}, sensors={"helper.level": 90}, tools={"helper": {"size": 50}})
    assert (played["helper.mode"], played["helper.level"], played["helper.size"]) == (Symbol("manual"), 90, 50)
    assert played["free"] == 3


def test_keys_inside_an_expected_dict_hide_nothing() -> None:
    played = delegate({"box": {"level": 1, "n": 2}}, "EXPECT { box }", "BELIEF { helper.box.level: 90 }")
    assert (played["helper.box.level"], played["helper.box.n"], played["helper.box"]) == (90, 2, {"level": 1, "n": 2})


def test_a_later_result_replaces_an_earlier_one() -> None:
    for expect in ("", "EXPECT { k }"):
        result = Script({"k": 1}, {"k": 2}, {"k": {"n": 3}})
        twice = f"DELEGATE helper {{ {expect} }} DELEGATE helper {{ {expect} }} SET x = helper.k"
        played = play(f"LOOP {{ {twice} DELEGATE helper {{ {expect} }} }}", subagents={"helper": result})
        assert (played["x"], played["helper.k"], played["helper.k.n"]) == (2, {"n": 3}, 3)


def test_a_key_nobody_expects_that_an_existing_name_hides_is_traced() -> None:
    played = delegate({"mode": "auto", "free": 1}, more="BELIEF { helper.mode: manual }")
    assert played.lines("BLOCKED") == [
        "BLOCKED helper.mode of helper is hidden by a name that exists (name it in EXPECT)"
    ]


def test_it_stands_under_the_control_label() -> None:
    played = play(
        "EVENT ping { DELEGATE helper { INPUT { payload.k } } } LOOP { SELECT_PLAN }",
        events=[{"source": "ping", "payload": {"k": 1}}],
        subagents={"helper": {"out": 1}},
    )
    assert played.world.crossings[-1][3]["$control"] == ["EVENT", "RUNTIME"]
    assert played.label("helper.out") == {"DELEGATE", "EVENT", "RUNTIME"}


def test_keys_that_are_no_text_are_dropped() -> None:
    played = delegate({5: 1, Symbol("k"): 2})
    assert played["helper.k"] == 2 and played.names("INFO") == ["outputs_dropped"]
