"""Effect drift: what observations say of declared effects, and the credibility that follows (semantics.md §21)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.runtime.machine import Machine
from agentl.values import Symbol
from tests.runtime.programs import agent, play
from tests.runtime.world import Script, World


@pytest.mark.parametrize(
    "junk",
    [
        "text",
        {"path": "a.b", "confirmed": 0, "refuted": 9},
        {"tool": "t", "confirmed": 0, "refuted": 9},
        {"tool": "t", "path": "a.b", "refuted": 9},
        {"tool": "t", "path": "a.b", "confirmed": 0},
        {"tool": "t", "path": "a.b", "confirmed": True, "refuted": 9},
        {"tool": "t", "path": "a.b", "confirmed": -1, "refuted": 9},
    ],
)
def test_what_is_no_drift_record_is_passed_over(junk: Any) -> None:
    machine = Machine(agent("TOOL t { EFFECT { a.b = yes } }"))
    machine.seed_memory("LONG_TERM", "effect_drift", [junk])
    assert machine.state.drift == {}


def test_drift_records_of_the_reference_are_read() -> None:
    machine = Machine(agent("TOOL t { EFFECT { a.b = yes } } LOOP { t() }"))
    record = {"tool": "t", "path": "a.b", "confirmes": 3, "refutes": 1}
    machine.seed_memory("LONG_TERM", "effect_drift", [record])
    World().tick(machine)
    assert machine.state.beliefs["a.b"].confidence == 0.7


def test_effect_drift_refutes_confirms_and_measures() -> None:
    body = """OBSERVE { a.b } MEMORY { LONG_TERM { effect_drift } } TOOL t { EFFECT { a.b = yes } }
        LOOP { OBSERVE UPDATE_BELIEFS t() }"""
    played = play(body, ticks=5, sensors={"a.b": Script(0, True, Symbol("no"), Symbol("yes"), True)})
    drift = played.machine.state.drift["t"]["a.b"]
    assert (drift.confirmed, drift.refuted) == (3, 1)
    assert played.machine.state.beliefs["a.b"].confidence == 0.7
    assert played.lines("ERROR") == ["ERROR t promised a.b = yes, observed no (effect refuted)"]
    assert played.counted()["effect_drift"] == 1
    assert played["effect_drift"] == [{"tool": "t", "path": "a.b", "confirmed": 3, "refuted": 1}]


@pytest.mark.parametrize(
    ("confirmed", "total", "credibility"), [(0, 0, 0.8), (0, 3, 0.125), (2, 2, 0.8333), (3, 4, 0.7), (7, 9, 0.75)]
)
def test_credibility_of_the_next_effect(confirmed: int, total: int, credibility: float) -> None:
    machine = Machine(agent("TOOL t { EFFECT { a.b = yes } } MEMORY { LONG_TERM { effect_drift } } LOOP { t() }"))
    record = {"tool": "t", "path": "a.b", "confirmed": confirmed, "refuted": total - confirmed}
    machine.seed_memory("LONG_TERM", "effect_drift", [record, "junk", {"tool": "t"}])
    World().tick(machine)
    assert machine.state.beliefs["a.b"].confidence == pytest.approx(credibility, abs=1e-4)


def test_a_re_read_audits_drift_too() -> None:
    played = play(
        "OBSERVE { a.b } TOOL t { EFFECT { a.b = 1 } } PLAN p { t() VERIFY a.b == 1 } LOOP { p EXECUTE }",
        sensors={"a.b": 0},
    )
    assert played.counted()["effect_drift"] == 1 and played.counted()["verify_fail"] == 1


def test_compat_compares_plain_values_for_drift() -> None:
    body = "OBSERVE { a.b } TOOL t { EFFECT { a.b = yes } } LOOP { OBSERVE UPDATE_BELIEFS t() }"
    assert play(body, ticks=2, sensors={"a.b": True}).counted().get("effect_drift") is None
    assert play(body, ticks=2, sensors={"a.b": True}, options={"compat": True}).counted()["effect_drift"] == 1
