"""Budgets (operations.md §4, operations-contract.md §7): what is reserved, spent and given back; on clocks that stand
still until they are moved.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentl.operations.driving import Ended, Interrupted
from agentl.operations.events import events_of
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.tool_calls import Applied, NotApplied, ToolCall, Unknown
from tests.operations.kit import Desk, seen, view
from tests.operations.model import CONTRACTS, Scene

KEY = CONTRACTS[0]
ONE_CALL = """
AGENT desk {
  TOOL quote { OUTPUT { ref: String } RISK: LOW }
  TOOL transfer { OUTPUT { ref: String } RISK: LOW }
  TOOL notify { OUTPUT { ref: String } RISK: LOW }
  PLAN pay {
    STEP move { transfer() GIVE transfer.ref }
  }
}
"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """One call that reserves 10,000 ms and takes none."""
    made = Scene.of(Desk(tmp_path, program=ONE_CALL, timeout_ms=10_000), KEY)
    made.provider.elapsed_ms = 0
    return made


def _budget(scene: Scene) -> dict[str, int]:
    with scene.life() as operations:
        found: dict[str, int] = view(operations, scene.operation_id)["budget"]
        return found
    raise AssertionError


def _events(operations: Operations, operation_id: str, name: str) -> list[dict[str, Any]]:
    found = [event for event in events_of(operations.engine.state, operation_id) if event["event"] == name]
    return [{key: value for key, value in event.items() if key not in ("number", "at", "event")} for event in found]


@pytest.mark.parametrize(
    ("max_run_ms", "is_allowed"), [(15_000, False), (40_000, True), (20_000, False), (20_001, True)]
)
def test_an_interrupted_attempt_stays_spent_and_the_next_reserves_again(
    scene: Scene, max_run_ms: int, is_allowed: bool
) -> None:
    assert scene.run("launch transfer 1 effect", max_run_ms=max_run_ms) is None
    with scene.life() as operations:
        before = seen(operations, scene.operation_id)
        assert before["resumable"] is is_allowed
        assert ("resume" in before["actions"]) is is_allowed
        asked = scene.desk.request(operations, scene.operation_id)
        if is_allowed:
            assert isinstance(operations.resume(asked), Ended)
            return
        with pytest.raises(Problem) as refused:
            operations.resume(asked)
        left = max_run_ms - 10_000
        assert refused.value.wire == before["refusal"]["code"] == "RunTimeBudgetExceeded"
        assert (
            refused.value.details
            == before["refusal"]["details"]
            == {"activeElapsedMs": 10_000, "reservationMs": 10_000, "remainingMs": left}
        )
        assert _events(operations, scene.operation_id, "dispatch_refused_budget_exceeded") == [
            {"active_elapsed_ms": 10_000, "reservation_ms": 10_000, "remaining_ms": left, "limit_value": max_run_ms}
        ]
        assert seen(operations, scene.operation_id)["freshness"] == before["freshness"]  # no number moved
        assert view(operations, scene.operation_id)["budget"]["active_elapsed_ms"] == 10_000
    assert len(scene.transfers) == 1


def test_in_a_run_with_nothing_unknown_a_refusal_is_a_failure(scene: Scene) -> None:
    ended = scene.run(max_run_ms=10_000)
    assert isinstance(ended, Ended) and ended.state == "failed"
    with scene.life() as operations:
        shown = view(operations, scene.operation_id)
        assert shown["error"]["code"] == "RunTimeBudgetExceeded"
        assert shown["error"]["details"] == {"activeElapsedMs": 0, "reservationMs": 10_000, "remainingMs": 10_000}
        assert _events(operations, scene.operation_id, "dispatch_refused_budget_exceeded") == [
            {"active_elapsed_ms": 0, "reservation_ms": 10_000, "remaining_ms": 10_000, "limit_value": 10_000}
        ]
        assert (shown["attempts"], shown["budget"]["remaining_ms"]) == (0, 10_000)
    assert not scene.provider.launches


def test_what_an_ended_call_did_not_use_is_given_back(scene: Scene) -> None:
    scene.provider.elapsed_ms = 42
    assert isinstance(scene.run(max_run_ms=40_000), Ended)
    assert _budget(scene) == {
        "max_run_ms": 40_000,
        "active_elapsed_ms": 42,
        "reserved_ms": 0,
        "remaining_ms": 39_958,
        "max_calls": 100,
        "calls": 1,
    }


def test_a_call_not_applied_costs_what_it_took(scene: Scene) -> None:
    scene.provider.elapsed_ms = 42
    scene.provider.behaves = lambda call: NotApplied("no_funds", "no funds")
    assert isinstance(scene.run(), Ended)
    assert _budget(scene)["active_elapsed_ms"] == 42


def test_a_call_of_unknown_outcome_costs_its_whole_reservation(scene: Scene) -> None:
    scene.provider.elapsed_ms = 42
    scene.provider.behaves = lambda call: Unknown("time-out")
    assert isinstance(scene.run(), Interrupted)
    assert _budget(scene)["active_elapsed_ms"] == 10_000


def test_the_attempt_under_way_is_reserved_and_not_yet_elapsed(scene: Scene) -> None:
    with scene.life() as operations:
        operation_id = scene.admit(operations)
        shown: list[dict[str, Any]] = []

        def look() -> None:
            from agentl.operations.recovery import operation_view

            shown.append(operation_view(operations.read(operation_id), is_driven=True)["budget"])

        scene.cut.then["launch transfer 1 started"] = look
        operations.begin(operation_id)
    assert (shown[0]["active_elapsed_ms"], shown[0]["reserved_ms"], shown[0]["calls"]) == (0, 10_000, 1)


def test_one_reservation_is_spent_at_g16_and_both_at_g17(scene: Scene) -> None:
    scene.run("launch transfer 1 started", max_run_ms=60_000)
    assert scene.resume("W7 after") is None
    assert (_budget(scene)["active_elapsed_ms"], _budget(scene)["calls"]) == (10_000, 1)
    assert scene.resume("launch transfer 2 started") is None
    assert (_budget(scene)["active_elapsed_ms"], _budget(scene)["calls"]) == (20_000, 2)
    assert scene.resume("W7 after") is None
    assert (_budget(scene)["active_elapsed_ms"], _budget(scene)["calls"]) == (20_000, 2)
    assert isinstance(scene.resume(), Ended)
    assert (_budget(scene)["active_elapsed_ms"], _budget(scene)["calls"]) == (20_000, 3)


def test_time_outside_handlers_counts_and_time_with_nobody_driving_does_not(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    passing = [3.0004, 0.0]  # rounded up
    monkeypatch.setattr(scene.provider, "prepare", lambda binding, call: _pass(scene, passing.pop(0)))
    with scene.life("launch transfer 1 started") as operations:
        operation_id = scene.admit(operations)
        scene.clocks.boot += 1000  # queued
        operations.begin(operation_id)
    assert _budget(scene)["active_elapsed_ms"] == 3001 + 10_000
    scene.clocks.boot += 86_400
    scene.clocks.wall += 86_400_000
    assert _budget(scene)["active_elapsed_ms"] == 3001 + 10_000
    assert isinstance(scene.resume(), Ended)
    assert _budget(scene)["active_elapsed_ms"] == 3001 + 10_000


def test_what_a_handler_took_is_not_counted_twice(scene: Scene) -> None:
    def takes(call: ToolCall) -> Applied:
        scene.clocks.boot += 2
        return Applied(scene.provider.apply(call))

    scene.provider.behaves, scene.provider.elapsed_ms = takes, 2000
    assert isinstance(scene.run(), Ended)
    assert _budget(scene)["active_elapsed_ms"] == 2000


def _pass(scene: Scene, seconds: float) -> None:
    scene.clocks.boot += seconds


@pytest.mark.parametrize(("max_calls", "state"), [(2, "failed"), (3, "completed")])
def test_every_launch_counts_and_a_restored_result_does_not(tmp_path: Path, max_calls: int, state: str) -> None:
    scene = Scene.of(Desk(tmp_path), KEY)
    scene.run("W4 transfer after", max_calls=max_calls)
    ended = scene.resume()
    assert isinstance(ended, Ended) and ended.state == state
    assert _budget(scene)["calls"] == max_calls
    if state == "failed":
        assert ended.problem is not None and ended.problem.wire == "CallBudgetExceeded"
        assert ended.problem.details == {"max_calls": 2, "calls": 2}


def test_a_retry_counts_as_a_call(tmp_path: Path) -> None:
    scene = Scene.of(Desk(tmp_path), KEY)
    scene.run("launch transfer 1 effect", max_calls=2)
    assert scene.look()["refusal"]["code"] == "CallBudgetExceeded"
    assert scene.resume() == "CallBudgetExceeded"
    assert len(scene.transfers) == 1


def test_a_restored_verdict_needs_no_budget(tmp_path: Path) -> None:
    contract = next(each for each in CONTRACTS if each.mode == "reconcile")
    scene = Scene.of(Desk(tmp_path, program=ONE_CALL, contract=("external_write", "reconcile")), contract)
    scene.run("launch transfer 1 effect", max_calls=1, max_run_ms=1001)
    assert scene.reconcile() == "applied"
    ended = scene.resume()
    assert isinstance(ended, Ended) and ended.state == "completed"
    assert _budget(scene)["active_elapsed_ms"] == 1000  # the lost attempt stays spent; being asked costs nothing


def test_a_call_that_was_not_launched_gives_its_time_back_and_stays_counted(scene: Scene) -> None:
    with scene.life() as operations:
        scene.cut.then["W3 transfer after"] = lambda: scene.provider.digests.update(transfer="sha256:other")
        outcome = operations.begin(scene.admit(operations, max_run_ms=10_001))
        assert isinstance(outcome, Interrupted)
    scene.provider.digests.clear()
    assert (_budget(scene)["active_elapsed_ms"], _budget(scene)["calls"]) == (0, 1)
    assert isinstance(scene.resume(), Ended)


def test_the_events_tell_the_story_without_payloads(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    scene.resume()
    with scene.life() as operations:
        told = events_of(operations.engine.state, scene.operation_id)
        assert [event["event"] for event in told] == [
            "accepted",
            "started",
            "launched",
            "resumed",
            "launched",
            "ended",
            "finished",
        ]
        assert [event["number"] for event in told] == list(range(1, 8))
        assert "transfer-1" not in str(told)
        assert events_of(operations.engine.state, scene.operation_id, after=5)[0]["event"] == "ended"
