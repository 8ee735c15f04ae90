"""REASON: what is asked, what is bound, and what silence is (semantics.md §14)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.runtime.state import State
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.model import Scripted
from tests.runtime.programs import Played, play
from tests.runtime.world import Script


def reason(fields: str, answer: Any, more: str = "", **model: Any) -> Played:
    body = f'{more} LOOP {{ REASON {{ TASK "why" PRODUCE {{ {fields} }} }} }}'
    return play(body, model=Scripted(answer, **model))


def test_fields_are_bound_as_locals_and_under_reason_with_label_llm() -> None:
    played = reason("cause: Symbol  level: Number", {"cause": "jam", "level": "2.5", "extra": 1})
    assert (played["cause"], played["reason.level"]) == (Symbol("jam"), 2.5)
    assert isinstance(played["cause"], Symbol)
    assert played.label("cause") == played.label("reason.cause") == {"LLM", "RUNTIME"}
    assert played["extra"] is UNDEFINED and played["reason.extra"] is UNDEFINED
    assert (played["reason.missing"], played["reason.degraded"]) == (0, False)
    assert played.label("reason.degraded") == played.label("reason.missing") == {"RUNTIME", "LLM"}
    assert played.lines("LLM") == ["LLM why: {cause: jam, level: 2.5} (missing=[])"]
    assert played.counted() == {"llm_calls": 1}


def test_the_schema_has_type_domain_and_default_of_each_field() -> None:
    played = reason(
        'a  b: int  c: Number IN [0, 10] DEFAULT 5  d: Symbol IN [jam, "two words"]  e: String DEFAULT ok', {}
    )
    (crossing,) = played.world.crossings
    assert crossing[3] == {
        "a": "Any",
        "b": "int",
        "c": "Number IN [0, 10] DEFAULT 5",
        "d": 'Symbol IN [jam, "two words"]',
        "e": "String DEFAULT ok",
    }


def test_fields_stand_under_the_control_label_and_what_the_host_adds() -> None:
    played = play(
        "EVENT ping { REASON { PRODUCE { x y } } } LOOP { SELECT_PLAN }",
        events=[{"source": "ping"}],
        model=Scripted({"x": untrusted(1), "y": 2}),
    )
    assert played.label("x") == {"LLM", "EVENT", "RUNTIME", "EXTERNAL"}
    assert played.label("y") == {"LLM", "EVENT", "RUNTIME"}
    assert played.label("reason.missing") == {"LLM", "EVENT", "RUNTIME"}


def test_an_absent_field_takes_its_default_else_is_explicitly_undefined() -> None:
    played = reason("a: Number  b: Number DEFAULT n + 1  c: Symbol", {"c": "x"}, "BELIEF { n: 2 }")
    assert (played["a"], played["b"], played["c"]) == (UNDEFINED, 3.0, Symbol("x"))
    assert played.machine.state.is_undefined_local("a")
    assert (played["reason.missing"], played["reason.degraded"]) == (2, False)
    assert played.label("b") == {"LLM", "RUNTIME", "DECLARED"}


def test_a_default_keeps_where_it_comes_from() -> None:
    played = play(
        "EVENT ping { SET seen = payload.n } LOOP { SELECT_PLAN REASON { PRODUCE { x DEFAULT seen } } }",
        events=[{"source": "ping", "payload": {"n": 1}}],
        model=Scripted({}),
    )
    assert played["x"] == 1 and played.label("x") >= {"EVENT", "LLM"}


@pytest.mark.parametrize("answer", [OSError("no network"), None, "text", [1], {}])
def test_a_model_that_says_nothing_degrades_and_is_no_error(answer: Any) -> None:
    played = reason("a: Number DEFAULT 1  b", answer)
    assert (played["a"], played["b"]) == (1, UNDEFINED)
    assert (played["reason.missing"], played["reason.degraded"]) == (2, True)
    assert played.counted() == {"llm_calls": 1, "reason_degraded": 1}
    assert played.lines("ERROR") == []
    assert played.names("LLM")[-1] == "silent"


def test_a_failure_is_traced_with_class_and_text() -> None:
    assert reason("a", OSError("no network")).lines("LLM")[0] == "LLM why: the model failed (OSError: no network)"


def test_what_the_adapter_calls_missing_is_absent_even_when_it_returned_something() -> None:
    played = reason("a: Number  b: Number  c: Number", {"a": 1, "b": 2}, missing=["a"])
    assert [played[name] for name in "abc"] == [UNDEFINED, 2, UNDEFINED]
    assert played["reason.missing"] == 2


def test_an_adapters_list_is_not_taken_from_the_call_before() -> None:
    model = Scripted(Script({}, {"a": 1}))
    model.missing = ["a"]
    body = "LOOP { REASON { PRODUCE { a } } }"
    played = play(body, model=model)
    assert played["reason.missing"] == 1
    model.missing = None
    played.world.tick(played.machine)
    assert (played["a"], played["reason.missing"]) == (1, 0)


def test_a_none_is_an_answer_without_value() -> None:
    played = reason("a: Number IN [0, 1]  b: Symbol IN [yes, no]  c DEFAULT 7", {"a": None, "b": None, "c": None})
    assert [played[name] for name in "abc"] == [UNDEFINED, UNDEFINED, 7]
    assert (played["reason.missing"], played.counted().get("domain_clamps")) == (0, None)


def test_domains_never_make_a_value_of_silence() -> None:
    played = reason("verdict: Symbol IN [deny, allow]  level: Number IN [1, 5]", {})
    assert (played["verdict"], played["level"]) == (UNDEFINED, UNDEFINED)
    assert "domain_clamps" not in played.counted()


def test_every_correction_is_counted_and_traced() -> None:
    played = reason("level: Number IN [1, 5]  kind: Symbol IN [a, b]  n: Int", {"level": 9, "kind": "z", "n": "many"})
    assert (played["level"], played["kind"], played["n"]) == (5, Symbol("b"), UNDEFINED)
    assert played.counted()["domain_clamps"] == 2
    assert played.lines("BLOCKED") == [
        "BLOCKED level = 9 is not used (taken instead: 5)",
        "BLOCKED kind = z is not used (taken instead: b)",
        "BLOCKED n = many is not used (taken instead: UNDEFINED)",
    ]


def test_defaults_are_evaluated_before_anything_is_bound_and_only_when_needed() -> None:
    played = reason('a: Number  b: Number DEFAULT a  c: Number DEFAULT "x" + 1', {"a": 1, "c": 3}, "BELIEF { a: 9 }")
    assert (played["b"], played["c"]) == (9, 3)
    assert played.lines("ERROR") == []
    broken = reason('c: Number DEFAULT "x" + 1', {})
    assert broken["c"] is UNDEFINED and broken.names("ERROR") == ["expression"]


def test_a_field_called_confidence_is_the_confidence_of_actions() -> None:
    body = """TOOL pay { } POLICY { ALLOW pay IF action.confidence >= 0.8 }
        LOOP { pay() REASON { PRODUCE { confidence: Number } } pay() }"""
    low = play(body, model=Scripted({"confidence": 0.5}), tools={"pay": {}})
    high = play(body, model=Scripted({"confidence": 0.9}), tools={"pay": {}})
    assert (len(low.world.calls), len(high.world.calls)) == (1, 2)


@pytest.mark.parametrize("guard", ["NEVER pay WHEN confidence < 0.8", "NEVER pay WHEN action.confidence < 0.8"])
def test_a_silent_model_does_not_pass_for_a_certain_one(guard: str) -> None:
    body = f"TOOL pay {{ }} POLICY {{ {guard} }} LOOP {{ REASON {{ PRODUCE {{ confidence: Number }} }} pay() }}"
    assert play(body, model=Scripted({}), tools={"pay": {}}).world.calls == []


def test_keys_of_a_dict_a_model_answers_hide_nothing_now_or_later() -> None:
    body = """BELIEF { tank.mode: manual } OBSERVE { tank.level } TOOL tank { OUTPUT { size } }
        LOOP { REASON { PRODUCE { tank } } SET before = tank.free OBSERVE UPDATE_BELIEFS tank() }"""
    answer = {"tank": {"mode": "auto", "level": 1, "size": 2, "free": 3}}
    played = play(body, model=Scripted(answer), sensors={"tank.level": 90}, tools={"tank": {"size": 50}})
    assert (played["tank.mode"], played["tank.level"], played["tank.size"]) == (Symbol("manual"), 90, 50)
    assert played["before"] == 3 and played["tank"] == answer["tank"]
    assert played["reason.tank.level"] == 1
    assert played.label("tank") == {"LLM", "RUNTIME"}


def test_a_dict_replaces_the_scalar_of_the_tick_before() -> None:
    played = play("LOOP { REASON { PRODUCE { x } } }", ticks=2, model=Scripted(Script({"x": 1}, {"x": {"k": 2}})))
    assert (played["x"], played["x.k"]) == ({"k": 2}, 2)


def test_task_is_the_label_when_there_is_none_and_empty_without_both() -> None:
    model = Scripted({})
    labelled = play('LOOP { REASON "sort it" { PRODUCE { x } } REASON { PRODUCE { x } } }', model=model)
    assert [crossing[1] for crossing in labelled.world.crossings] == ["sort it", ""]


def test_a_request_says_which_statement_asks() -> None:
    from agentl.runtime.machine import Machine
    from agentl.runtime.requests import Reason
    from tests.runtime.programs import agent

    machine = Machine(agent("LOOP { SET a = 1 REASON { PRODUCE { x } } }"), state=State())
    machine.begin_tick()
    request = machine.step(None)
    assert isinstance(request, Reason) and request.node == "/loop/body/1"
