"""Provenance and control labels (semantics.md §23, policy.md §7, §13)."""

from __future__ import annotations

from typing import Any

from agentl.values import untrusted
from tests.runtime.programs import Played, play

READ = "OBSERVE UPDATE_BELIEFS"


def controls(played: Played) -> list[set[str]]:
    return [set(crossing[3]["$control"]) for crossing in played.world.crossings if crossing[0] == "invoke"]


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


def test_what_made_the_machine_look_does_not_change_the_label_of_what_was_seen() -> None:
    played = play(
        """OBSERVE { a.b c.d f.f ON UNKNOWN DEGRADE 1 } GOAL g { ACHIEVE c.d == 1 } TOOL t { REQUIRES { c.d == 1 } }
        LOOP { OBSERVE UPDATE_BELIEFS IF a.b == 1 THEN { OBSERVE EVALUATE_GOALS t() VERIFY c.d == 1 } }""",
        sensors={"a.b": external, "c.d": 1},
    )
    assert played.label("c.d") == {"OBSERVED"} and played.label("sensors.c.d.available") == {"RUNTIME"}
    assert played.label("f.f") == {"FALLBACK", "DECLARED"}
    assert played.label("goal.score") == {"RUNTIME", "OBSERVED", "DECLARED"}


def test_whether_a_record_is_kept_tells_of_the_decision_it_stands_under() -> None:
    played = play(
        """OBSERVE { a.b } MEMORY { LONG_TERM { k } WRITE { STORE n INTO LONG_TERM.k } }
        LOOP { OBSERVE UPDATE_BELIEFS IF a.b == 1 THEN { UPDATE_MEMORY } }""",
        sensors={"a.b": external},
    )
    assert "EXTERNAL" in played.label("k")


def test_payload_and_envelope_have_labels_of_their_own() -> None:
    played = play("EVENT ping { SET x = 1 } LOOP { SELECT_PLAN }", events=[{"source": "ping", "payload": {"n": 1}}])
    assert played.label("payload.n") == {"EVENT"} and played.label("n") == {"EVENT"}
    assert played.label("event.source") == {"RUNTIME"} and played.label("x") == {"RUNTIME", "DECLARED", "EVENT"}
