"""Provenance and control labels (semantics.md §23, policy.md §7, §13)."""

from __future__ import annotations

from typing import Any

from agentl.values import untrusted
from tests.runtime.programs import Played, play

READ = "OBSERVE UPDATE_BELIEFS"


def controls(played: Played) -> list[set[str]]:
    return [set(crossing[3]["$control"]) for crossing in played.world.crossings if crossing[0] == "act"]


def external() -> Any:
    return untrusted(1)


def test_a_literal_assigned_under_an_if_on_external_data_is_untrusted() -> None:
    played = play(
        f"OBSERVE {{ a.b }} LOOP {{ {READ} IF a.b == 1 THEN {{ SET x = 5 }} SET bad = UNTRUSTED(x) SET "
        f"good = UNTRUSTED(bad) }}",
        sensors={"a.b": external},
    )
    assert played["bad"] is True and played["good"] is False
    assert played.label("bad") == {"RUNTIME"}


def test_control_labels_nest_and_end_with_their_construct() -> None:
    played = play(
        f"""OBSERVE {{ a.b c.d }} TOOL t {{ }} LOOP {{ {READ}
            t() IF a.b == 1 THEN {{ t() FOREACH v IN c.d {{ t() }} LOOP UNTIL c.d == 1 MAX 1 {{ t() }} t() }} t() }}""",
        sensors={"a.b": external, "c.d": [1]},
    )
    inside = {"RUNTIME", "OBSERVED", "EXTERNAL", "DECLARED"}
    assert controls(played) == [{"RUNTIME"}, inside, inside, inside, inside, {"RUNTIME"}]


def test_a_call_in_a_plan_inherits_what_queued_the_plan_and_where_it_was_queued() -> None:
    played = play(
        f"OBSERVE {{ a.b c.d }} TOOL t {{ }} PLAN p WHEN c.d == 1 {{ q }} PLAN q {{ t() }} "
        f"LOOP {{ {READ} IF a.b == 1 THEN {{ SELECT_PLAN }} EXECUTE }}",
        sensors={"a.b": external, "c.d": 1},
    )
    assert controls(played) == [{"RUNTIME", "OBSERVED", "EXTERNAL", "DECLARED"}]


def test_a_plan_queued_by_an_observed_guard_is_trusted_and_one_in_an_event_is_not() -> None:
    body = """TOOL drive { INPUT { aisle: String } } POLICY { NEVER drive WHEN UNTRUSTED(action) } OBSERVE { go.now }
        PLAN p WHEN go.now == yes { drive("a3") } EVENT ping { drive("a4") }"""
    played = play(body, sensors={"go.now": True}, events=[{"source": "ping"}])
    assert played.world.calls == [("drive", {"aisle": "a3"})]


def test_an_answer_of_a_person_is_trusted_and_a_tool_output_is_not() -> None:
    body = """TOOL drive { INPUT { aisle } } TOOL pick { OUTPUT { x } } POLICY { NEVER drive WHEN UNTRUSTED(action) }
        LOOP { ASK boss { QUESTION "where?" } drive(answer) pick() drive(pick.x) }"""
    played = play(body, answer="a1", tools={"pick": {"x": "a2"}, "drive": {}})
    assert [call for call in played.world.calls if call[0] == "drive"] == [("drive", {"aisle": "a1"})]


def test_a_validator_attests_a_value_and_the_label_stays() -> None:
    body = """TOOL check_name { INPUT { to } } TOOL send { INPUT { to } } TOOL pick { OUTPUT { who } }
        POLICY { NEVER send WHEN UNTRUSTED(to) AND NOT ATTESTED(to, check_name) }
        LOOP { pick() send(pick.who) check_name(pick.who) send(pick.who) }"""
    played = play(body, tools={"pick": {"who": "ann"}})
    assert [name for name, _ in played.world.calls] == ["pick", "check_name", "send"]
    assert "TOOL" in played.label("pick.who")


def test_a_validator_that_raises_attests_nothing() -> None:
    def refuse(to: str) -> None:
        raise ValueError("unknown")

    played = play("TOOL check_name { INPUT { to } } LOOP { check_name(ann) }", tools={"check_name": refuse})
    assert played.machine.state.attested_by("ann") == frozenset()


def test_state_the_runtime_publishes_carries_the_control_label() -> None:
    played = play(
        "OBSERVE { a.b } TOOL t { SIDE_EFFECT { s.t } } LOOP { OBSERVE UPDATE_BELIEFS IF a.b == 1 THEN { t() } }",
        sensors={"a.b": external},
    )
    for path in ("s.t.dirty", "tools.t.available", "last_action.blocked"):
        assert "EXTERNAL" in played.label(path) and "RUNTIME" in played.label(path)
    assert played.label("tools.t.in_doubt") == {"RUNTIME"}


def test_marks_inside_a_reading_are_taken_off_and_kept_in_the_label() -> None:
    played = play(
        f"OBSERVE {{ a.b }} LOOP {{ {READ} FOREACH v IN a.b.items {{ SET x = v.k }} }}",
        sensors={"a.b": lambda: {"items": [{"k": untrusted(7)}], "t": (untrusted(1),)}},
    )
    assert played["x"] == 7 and "EXTERNAL" in played.label("x")
    assert played.machine.state.world["a.b"] == {"items": [{"k": 7}], "t": (1,)}


def test_a_phase_run_under_an_if_writes_under_its_label() -> None:
    played = play(
        "OBSERVE { a.b c.d } GOAL g { ACHIEVE c.d == 1 } LOOP { OBSERVE UPDATE_BELIEFS IF a.b == 1 THEN "
        "{ OBSERVE EVALUATE_GOALS } }",
        sensors={"a.b": external, "c.d": 1},
    )
    assert "EXTERNAL" in played.label("goal.score")
    assert "EXTERNAL" in played.machine.state.labels["world"]["c.d"]
