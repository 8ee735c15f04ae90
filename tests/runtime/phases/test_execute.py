"""EXECUTE: the queue and plans that queue plans (semantics.md §12)."""

from __future__ import annotations

from agentl.values import UNDEFINED
from tests.runtime.programs import play

LOOP = "LOOP { p EXECUTE }"


def started(played: object) -> list[str]:
    return [event.facts["plan"] for event in played.machine.trace.of_kind("PLAN") if event.name == "started"]  # type: ignore[attr-defined]


def test_a_reference_only_queues_and_the_rest_of_the_plan_runs_first() -> None:
    played = play(f"PLAN p {{ q SET x = 1 }} PLAN q {{ SET y = x }} {LOOP}")
    assert started(played) == ["p", "q"] and played["y"] == 1


def test_steps_run_in_order_and_are_traced() -> None:
    played = play(f"PLAN p {{ STEP one {{ SET x = 1 }} STEP two {{ SET x = x + 1 }} }} {LOOP}")
    assert played["x"] == 2.0
    assert played.lines("STEP") == ["STEP one", "STEP two"]


def test_a_plan_that_queues_itself_runs_a_hundred_times_and_then_is_an_error() -> None:
    played = play(
        f"BELIEF {{ n: 0 }} PLAN p {{ SET n = n + 1 p }} PLAN q {{ SET after = yes }} {LOOP}".replace(
            "p EXECUTE", "p q EXECUTE"
        )
    )
    assert played["n"] == 100.0
    assert played.lines("ERROR") == ["ERROR plan p ran 100 times in one EXECUTE (not run again in this phase)"]
    assert played["after"] == "yes" and played.machine.state.queue == []


def test_the_bound_counts_nested_execute_phases_together() -> None:
    played = play(f"BELIEF {{ n: 0 }} PLAN p {{ SET n = n + 1 IF n < 300 THEN p EXECUTE }} {LOOP}")
    assert played["n"] <= 100
    assert set(played.names("ERROR")) <= {"plan_limit", "nesting"} and played.names("ERROR")


def test_each_execute_counts_anew() -> None:
    played = play(f"BELIEF {{ n: 0 }} PLAN p {{ SET n = n + 1 IF n < 90 THEN p }} {LOOP}", ticks=2)
    assert played["n"] == 91.0 and played.names("ERROR") == []


def test_plans_stay_queued_until_an_execute() -> None:
    played = play("PLAN p WHEN 1 == 1 { SET x = 1 } LOOP { SELECT_PLAN }", ticks=3)
    assert played["x"] is UNDEFINED
    assert [queued.plan for queued in played.machine.state.queue] == ["p"]


def test_of_two_plans_with_one_name_the_first_counts() -> None:
    played = play("PLAN p { SET x = 1 } PLAN p { SET x = 2 } LOOP { p EXECUTE }")
    assert played["x"] == 1 and started(played) == ["p"]


def test_two_executes_in_one_tick_count_apart() -> None:
    body = "BELIEF { n: 0 } PLAN p { SET n = n + 1 IF n < limit THEN p } LOOP { %s }"
    played = play(body % "SET limit = 60 p EXECUTE SET limit = 120 p EXECUTE")
    assert played["n"] == 120.0 and played.names("ERROR") == []
