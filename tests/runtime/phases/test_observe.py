"""OBSERVE, UPDATE_BELIEFS and silence (semantics.md §8, §10)."""

from __future__ import annotations

import pytest

from agentl.logic.scope import Belief
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import play
from tests.runtime.world import Script

LOOP = "LOOP { OBSERVE UPDATE_BELIEFS }"


def test_a_reading_goes_into_the_world_and_then_into_a_belief() -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", sensors={"a.b": 7})
    state = played.machine.state
    assert state.world["a.b"] == 7 and state.world["sensors.a.b.available"] is True
    assert state.beliefs["a.b"] == Belief(7, 0.95, "observation", 1)
    assert played.label("a.b") == {"OBSERVED"}
    assert played.lines("OBSERVE", "BELIEF") == [
        "OBSERVE a.b = 7",
        "BELIEF a.b: UNDEFINED -> 7 (confidence=0.95 source=observation)",
    ]


def test_sensors_are_read_in_declaration_order_and_each_one_even_if_unused() -> None:
    played = play(f"OBSERVE {{ z.z a.a m.m }} {LOOP}")
    assert played.world.crossings == [("read", "z.z"), ("read", "a.a"), ("read", "m.m")]


def test_what_the_host_adds_joins_the_label() -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", sensors={"a.b": lambda: untrusted("text")})
    assert played["a.b"] == "text" and played.label("a.b") == {"OBSERVED", "EXTERNAL"}


def test_a_false_when_keeps_the_sensor_from_being_read() -> None:
    played = play(f"BELIEF {{ door.state: closed }} OBSERVE {{ a.b WHEN door.state == open }} {LOOP}")
    assert played.world.crossings == []


def test_between_observe_and_update_beliefs_the_old_belief_masks_the_new_value() -> None:
    played = play(
        "BELIEF { a.b: 1 } OBSERVE { a.b } LOOP { OBSERVE SET x = a.b UPDATE_BELIEFS SET y = a.b }", sensors={"a.b": 2}
    )
    assert (played["x"], played["y"]) == (1, 2)


def test_a_loop_without_update_beliefs_keeps_reading_the_first_belief() -> None:
    played = play("BELIEF { a.b: 1 } OBSERVE { a.b } LOOP { OBSERVE SET x = a.b }", ticks=3, sensors={"a.b": 2})
    assert played["x"] == 1


@pytest.mark.parametrize("silent", [None, UNDEFINED])
def test_none_and_undefined_are_silence(silent: object) -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", sensors={"a.b": silent})
    assert played["a.b"] is UNDEFINED and played["sensors.a.b.available"] is False
    assert played.lines("OBSERVE") == ["OBSERVE a.b is silent"]
    assert played.counted() == {"sensor_unknown": 1}


def test_a_sensor_nobody_registered_is_silent() -> None:
    assert play(f"OBSERVE {{ a.b }} {LOOP}")["sensors.a.b.available"] is False


def test_a_sensor_that_raises_is_silent_and_an_error() -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", sensors={"a.b": OSError("probe")})
    assert played.lines("ERROR") == ["ERROR OSError: probe (sensor a.b)"]
    assert played["sensors.a.b.available"] is False


def test_silence_makes_the_path_unknown_in_world_beliefs_and_locals() -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", ticks=2, sensors={"a.b": Script(5, None)})
    state = played.machine.state
    assert played["a.b"] is UNDEFINED
    assert "a.b" not in state.world and "a.b" not in state.beliefs and "a.b" not in state.labels["world"]


def test_compat_keeps_the_stale_value_and_stamps_it_again() -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", ticks=2, sensors={"a.b": Script(5, None)}, options={"compat": True})
    assert played["a.b"] == 5 and played.machine.state.beliefs["a.b"].updated == 2


def test_escalate_asks_once_per_outage_and_ignores_the_answer() -> None:
    played = play(
        f"OBSERVE {{ a.b ON UNKNOWN ESCALATE }} {LOOP}",
        ticks=5,
        sensors={"a.b": Script(None, None, 3, None, None)},
        answer=Symbol("shrug"),
    )
    asked = [crossing for crossing in played.world.crossings if crossing[0] == "ask"]
    assert asked == [("ask", "A sensor is silent.", "a.b")] * 2
    assert played["answer"] is UNDEFINED and played["a.b"] is UNDEFINED


def test_an_operator_who_cannot_be_asked_is_an_error_only() -> None:
    played = play(f"OBSERVE {{ a.b ON UNKNOWN ESCALATE c.d }} {LOOP}", sensors={"c.d": 1}, answer=EOFError("no tty"))
    assert played.lines("ERROR") == ["ERROR EOFError: no tty (question to operator)"]
    assert played["c.d"] == 1


def test_degrade_puts_the_declared_value_in_place_at_low_confidence() -> None:
    played = play(f"OBSERVE {{ a.b ON UNKNOWN DEGRADE 99 }} {LOOP}")
    assert played.machine.state.beliefs["a.b"] == Belief(99, 0.3, "fallback", 1)
    assert played.machine.state.world["a.b"] == 99
    assert played.label("a.b") == {"FALLBACK", "DECLARED"}
    assert played.counted() == {"sensor_unknown": 1, "sensor_degraded": 1}


def test_update_beliefs_does_not_stamp_a_fallback_as_observed() -> None:
    played = play(f"OBSERVE {{ a.b ON UNKNOWN DEGRADE 99 }} {LOOP}", ticks=3, sensors={"a.b": Script(1, None, None)})
    assert played.machine.state.beliefs["a.b"].confidence == 0.3


def test_compat_stamps_a_fallback_as_observed() -> None:
    played = play(f"OBSERVE {{ a.b ON UNKNOWN DEGRADE 99 }} {LOOP}", options={"compat": True})
    assert played.machine.state.beliefs["a.b"].confidence == 0.95


def test_a_fallback_that_cannot_be_evaluated_leaves_the_path_unknown() -> None:
    played = play(f'OBSERVE {{ a.b ON UNKNOWN DEGRADE "x" + 1 }} {LOOP}')
    assert played["a.b"] is UNDEFINED and played.names("ERROR") == ["expression"]


def test_a_guarded_observer_that_was_not_read_does_not_overwrite_an_effect() -> None:
    played = play(
        """BELIEF { go.now: yes }
        OBSERVE { lift.height WHEN go.now == yes }
        TOOL lower { EFFECT { lift.height = 0 } }
        LOOP { OBSERVE UPDATE_BELIEFS SET go.now = no lower() }""",
        ticks=2,
        sensors={"lift.height": 5},
    )
    assert played.machine.state.beliefs["lift.height"] == Belief(0, 0.8, "effect:lower", 2)
    assert played.counted() == {"tool_calls": 2}


def test_a_second_update_beliefs_stamps_nothing_again() -> None:
    played = play("OBSERVE { a.b } LOOP { OBSERVE UPDATE_BELIEFS SET a.b = 9 UPDATE_BELIEFS }", sensors={"a.b": 5})
    assert played.machine.state.beliefs["a.b"] == Belief(9, 0.95, "assignment", 1)


def test_a_later_observation_overwrites_an_assigned_belief() -> None:
    played = play(
        "OBSERVE { a.b } LOOP { OBSERVE UPDATE_BELIEFS SET a.b = 9 OBSERVE UPDATE_BELIEFS }", sensors={"a.b": 5}
    )
    assert played.machine.state.beliefs["a.b"] == Belief(5, 0.95, "observation", 1)


def test_a_belief_that_does_not_change_is_not_traced_again() -> None:
    played = play(f"OBSERVE {{ a.b }} {LOOP}", ticks=3, sensors={"a.b": Script(5, 5, 6)})
    assert [line.split(" (")[0] for line in played.lines("BELIEF")] == [
        "BELIEF a.b: UNDEFINED -> 5",
        "BELIEF a.b: 5 -> 6",
    ]


def test_a_reading_of_an_earlier_tick_is_not_believed_later() -> None:
    played = play(
        "BELIEF { n: 0 } OBSERVE { a.b } LOOP { SET n = n + 1 IF n == 1 THEN { OBSERVE } ELSE { UPDATE_BELIEFS } }",
        ticks=2,
        sensors={"a.b": 5},
    )
    assert played["a.b"] == 5 and "a.b" not in played.machine.state.beliefs
