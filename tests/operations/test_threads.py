"""Several threads on one operation: of what they ask at one moment, one is done, and the others are answered."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from agentl.operations.driving import Ended
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from tests.operations.kit import Desk, seen
from tests.operations.model import CONTRACTS, Scene

KEY = CONTRACTS[0]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene.of(Desk(tmp_path), KEY)
    made.provider.watch = lambda call: time.sleep(0.01)
    return made


def _at_once(*calls: Callable[[], object]) -> list[str]:
    """What each of the calls came to, all made at one moment."""
    barrier, answers = threading.Barrier(len(calls)), [""] * len(calls)

    def run(place: int, call: Callable[[], object]) -> None:
        barrier.wait()
        try:
            outcome = call()
            answers[place] = outcome.state if isinstance(outcome, Ended) else str(outcome)
        except Problem as problem:
            answers[place] = problem.wire

    threads = [threading.Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def _resume(scene: Scene, operations: Operations, request_id: str) -> Callable[[], object]:
    asked = scene.desk.request(operations, scene.operation_id, request_id)
    return lambda: operations.resume(asked)


def test_of_requests_at_one_moment_one_goes_on(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    with scene.life() as operations:
        answers = Counter(_at_once(*(_resume(scene, operations, f"r{number}") for number in range(4))))
    assert answers.pop("completed") == 1
    assert sum(answers.values()) == 3
    assert set(answers) <= {"DurableResumeConflict", "OperationFinished"}
    assert (scene.effects, len(scene.transfers)) == (1, 2)


def test_the_same_request_at_one_moment_is_one_continuation(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    with scene.life() as operations:
        answers = Counter(_at_once(*(_resume(scene, operations, "r1") for _ in range(4))))
    assert answers.pop("completed") == 1
    assert answers == {"None": 3}
    assert (scene.effects, len(scene.transfers)) == (1, 2)


@pytest.mark.parametrize("delay_ms", [0, 4, 8, 12, *(pytest.param(ms, marks=pytest.mark.soak) for ms in range(13, 60))])
def test_a_cancel_at_any_moment_of_a_drive_is_an_end_or_comes_too_late(scene: Scene, delay_ms: int) -> None:
    scene.run("W2 after")
    with scene.life() as operations:

        def cancel() -> str:
            time.sleep(delay_ms / 1000)
            return operations.cancel(scene.operation_id, "c1")

        answers = _at_once(_resume(scene, operations, "r1"), cancel, cancel)
        shown = seen(operations, scene.operation_id)
        assert shown["refusal"] is None or shown["state"] != "interrupted"
        stored = operations.read(scene.operation_id)
        assert stored.problem is None
    cancels = set(answers[1:])
    if shown["state"] == "completed":
        assert cancels == {"OperationFinished"} and answers[0] == "completed"
    else:
        assert shown["state"] == "cancelled"
        assert cancels <= {"running", "cancelled"}
        assert answers[0] in ("cancelled", "OperationCancelled", "DurableResumeConflict")
    words = [entry["key"] for entry in stored.inspection.entries if entry["kind"] == "control"]  # type: ignore[union-attr]
    assert words.count("cancel") <= 1


def test_admissions_at_one_moment_are_one_for_a_message_and_one_each_without(scene: Scene) -> None:
    with scene.life() as operations:
        same = _at_once(*(lambda: operations.admit(scene.desk.admission(message_id="m9")) for _ in range(6)))
        other = _at_once(*(lambda: operations.admit(scene.desk.admission()) for _ in range(6)))
        numbers = operations.engine.state.query("SELECT number FROM operations ORDER BY number")
    assert (len(set(same)), len(set(other))) == (1, 6)
    assert numbers == [(number,) for number in range(1, 8)]


def test_many_operations_are_driven_at_once(scene: Scene) -> None:
    with scene.life() as operations:
        ids = [operations.admit(scene.desk.admission()) for _ in range(6)]
        answers = _at_once(*(lambda each=each: operations.begin(each) for each in ids))
        assert answers == ["completed"] * 6
        assert [operations.read(each).problem for each in ids] == [None] * 6
    assert scene.effects == 6
