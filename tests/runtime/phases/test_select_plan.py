"""SELECT_PLAN: events, guards, DECIDE (semantics.md §8, §12)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.runtime.answers import Failure, Value
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Drain
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import Played, agent, play
from tests.runtime.world import World

LOOP = "LOOP { SELECT_PLAN EXECUTE }"


def event(source: str, **payload: Any) -> dict[str, Any]:
    return {"source": source, "payload": payload}


def test_each_event_runs_each_handler_of_its_source_in_order() -> None:
    played = play(
        f"""EVENT ping {{ note(n = payload.n tag = first) }}
        EVENT pong {{ note(n = payload.n tag = other) }}
        EVENT ping {{ note(n = payload.n tag = second) }}
        TOOL note {{ }} {LOOP}""",
        events=[event("ping", n=1), event("pong", n=2), event("ping", n=3)],
    )
    assert [(args["n"], str(args["tag"])) for _, args in played.world.calls] == [
        (1, "first"),
        (1, "second"),
        (2, "other"),
        (3, "first"),
        (3, "second"),
    ]


def test_a_payload_is_bound_as_local_envelope_and_untrusted_bare_keys() -> None:
    played = play(f"EVENT ping {{ SET got = level SET from = event.source }} {LOOP}", events=[event("ping", level=4)])
    assert (played["got"], played["from"], played["payload.level"], played["level"]) == (4, "ping", 4, 4)
    assert played.label("payload.level") == {"EVENT"} and played.label("level") == {"EVENT"}
    assert played.label("got") == {"EVENT", "RUNTIME"}
    assert "level" not in played.machine.state.locals


def test_payload_bindings_persist_after_the_tick() -> None:
    played = play(f"EVENT ping {{ SET x = 1 }} {LOOP}", ticks=2, events=[event("ping", level=4)])
    assert played["payload.level"] == 4


def test_a_payload_masks_no_name_that_exists_and_the_collision_is_traced() -> None:
    played = play(
        f"BELIEF {{ level: 1 }} EVENT ping {{ SET got = level SET sent = payload.level }} {LOOP}",
        events=[event("ping", level=4)],
    )
    assert (played["got"], played["sent"]) == (1, 4)
    assert played.lines("BLOCKED") == ["BLOCKED level of ping is hidden by a name that exists (read payload.level)"]


def test_a_when_that_is_false_leaves_nothing_behind() -> None:
    played = play(
        f"EVENT ping {{ WHEN payload.n > 5 SET big = yes }} {LOOP}", events=[event("ping", n=9), event("ping", n=1)]
    )
    assert played["payload.n"] == 9 and played["n"] == 9
    assert played.names("EVENT") == ["handled", "filtered"]
    assert play(f"EVENT ping {{ WHEN n > 5 SET x = 1 }} {LOOP}", events=[event("ping", n=1)])["payload"] is UNDEFINED


def test_an_event_without_handler_disappears_silently() -> None:
    played = play(f"EVENT ping {{ SET x = 1 }} {LOOP}", events=[event("other")])
    assert played.names("EVENT", "ERROR") == []


@pytest.mark.parametrize("answer", [Failure("OSError", "queue gone"), Value("not a list"), Value(None)])
def test_a_queue_that_fails_counts_as_empty(answer: Any) -> None:
    machine = Machine(agent(f"EVENT ping {{ SET x = 1 }} PLAN p WHEN 1 == 1 {{ SET y = 2 }} {LOOP}"))
    machine.begin_tick()
    assert machine.step(None) == Drain()
    machine.step(answer)
    played = Played(machine, World())
    assert played.names("ERROR") == ["drain"] and played["y"] == 2


@pytest.mark.parametrize(
    "raw",
    ["text", {"payload": {}}, {"source": "ping", "payload": [1]}, {"source": "ping", "payload": {1: 2}}, {"source": 3}],
)
def test_what_is_no_event_is_an_error_and_passed_over(raw: Any) -> None:
    played = play(f"EVENT ping {{ SET x = payload.n }} {LOOP}", events=[raw, event("ping", n=2)])
    assert played.names("ERROR") == ["event_shape"] and played["x"] == 2


def test_an_event_without_payload_has_an_empty_one() -> None:
    assert play(f"EVENT ping {{ SET x = payload }} {LOOP}", events=[{"source": Symbol("ping")}])["x"] == {}


def test_sources_a_host_adds_to_a_payload_join_its_label() -> None:
    played = play(f"EVENT ping {{ SET x = payload.n }} {LOOP}", events=[event("ping", n=untrusted(1))])
    assert played["x"] == 1 and "EXTERNAL" in played.label("x")


def test_a_handler_runs_under_event_and_the_label_of_its_when() -> None:
    played = play(f"BELIEF {{ a.b: 1 }} TOOL t {{ }} EVENT ping {{ WHEN a.b == 1 t() }} {LOOP}", events=[event("ping")])
    assert played.world.crossings[-1][3] == {"$control": ["DECLARED", "EVENT", "RUNTIME"]}


def test_plans_with_a_true_guard_are_queued_in_order_and_those_without_guard_are_not() -> None:
    played = play(
        f"PLAN b WHEN 1 == 1 {{ SET x = 1 }} PLAN never {{ SET y = 1 }} PLAN a WHEN 1 == 1 {{ SET z = 1 }} {LOOP}"
    )
    assert [event.facts["plan"] for event in played.machine.trace.of_kind("PLAN") if event.name == "started"] == [
        "b",
        "a",
    ]
    assert played["y"] is UNDEFINED


def test_every_decide_rule_that_holds_runs_and_else_never_does() -> None:
    played = play(
        f"""DECIDE {{ RULES {{ IF 1 == 1 THEN {{ SET a = 1 }} ELSE {{ SET wrong = 1 }}
            IF 1 == 2 THEN {{ SET wrong = 1 }} ELSE {{ SET wrong = 2 }}
            IF a == 1 THEN {{ SET b = 1 }} }} }} {LOOP}"""
    )
    assert (played["a"], played["b"], played["wrong"]) == (1, 1, UNDEFINED)


def test_events_come_before_guards_and_guards_before_decide() -> None:
    played = play(
        f"""EVENT ping {{ SET order.a = 1 third }}
        PLAN second WHEN order.a == 1 {{ }} PLAN third {{ }} PLAN fourth {{ }}
        DECIDE {{ IF order.a == 1 THEN fourth }} {LOOP}""",
        events=[event("ping")],
    )
    queued = [event.facts["plan"] for event in played.machine.trace.of_kind("PLAN") if event.name == "queued"]
    assert queued == ["third", "second", "fourth"]


def test_an_unknown_plan_is_an_error() -> None:
    played = play(f"DECIDE {{ IF 1 == 1 THEN ghost }} {LOOP}")
    assert played.lines("ERROR") == ["ERROR unknown plan ghost (reference)"]


def test_a_plan_queued_twice_runs_once_under_both_labels() -> None:
    played = play(
        """BELIEF { a.b: 1 } OBSERVE { c.d } TOOL t { }
        PLAN p WHEN c.d == 1 { t() }
        DECIDE { IF a.b == 1 THEN p }
        LOOP { OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE }""",
        sensors={"c.d": 1},
    )
    assert len(played.world.calls) == 1
    assert played.world.crossings[-1][3]["$control"] == ["DECLARED", "OBSERVED", "RUNTIME"]


def test_a_plan_runs_under_the_label_of_what_queued_it() -> None:
    played = play(f"TOOL t {{ }} EVENT ping {{ p }} PLAN p {{ t() }} {LOOP}", events=[event("ping")])
    assert "EVENT" in played.world.crossings[-1][3]["$control"]


def test_a_guard_that_cannot_be_evaluated_queues_nothing() -> None:
    played = play(f'PLAN p WHEN "x" + 1 > 0 {{ SET y = 1 }} {LOOP}')
    assert played["y"] is UNDEFINED and played.names("ERROR") == ["expression"]


def test_a_decide_rule_runs_under_the_label_of_its_condition() -> None:
    played = play(
        "OBSERVE { a.b } TOOL t { } DECIDE { IF a.b == 1 THEN { t() } } LOOP { OBSERVE UPDATE_BELIEFS SELECT_PLAN }",
        sensors={"a.b": untrusted(1)},
    )
    assert played.world.crossings[-1][3]["$control"] == ["DECLARED", "EXTERNAL", "OBSERVED", "RUNTIME"]
