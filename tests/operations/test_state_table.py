"""The table "state and call" of operations-contract.md §2, row by row: those of a state folder without a server."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentl.operations.driving import Ended
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.resuming import ResumeRequest
from agentl.operations.tool_calls import Applied, NotApplied, ToolCall
from tests.operations.kit import PROGRAM, Desk, seen, view
from tests.operations.model import CONTRACTS, Scene, question

RECONCILE = next(contract for contract in CONTRACTS if contract.mode == "reconcile")
STOPPING = PROGRAM.replace("GIVE { moved = transfer.ref told = notify.ref }", 'STOP "enough"')

same, conflict, unknown = "the same operation", "DurableResumeConflict", "NothingUnknown"
finished, cancelled, damaged = "OperationFinished", "OperationCancelled", "CheckpointDamaged"

# state: same message, resume exact, resume stale, its own id, cancel, reconcile
TABLE: dict[str, tuple[str, str, str, str, str, str]] = {
    "accepted": (same, conflict, conflict, "", "cancelled", unknown),
    "running": (same, conflict, conflict, "coalesced", "running", unknown),
    "interrupted": (same, "resumed", conflict, "coalesced", "cancelled", unknown),
    "interrupted, unknown": (same, "EffectReconciliationRequired", conflict, "coalesced", "cancelled", "applied"),
    "completed": (same, finished, finished, "coalesced", finished, unknown),
    "stopped": (same, finished, finished, "coalesced", finished, unknown),
    "failed": (same, finished, finished, "coalesced", finished, unknown),
    "cancelled": (same, cancelled, cancelled, "coalesced", "cancelled", unknown),
    "cancelled, unknown": (same, cancelled, cancelled, "coalesced", "cancelled", "applied"),
    "damaged": (same, damaged, damaged, "coalesced", damaged, damaged),
}
CALLS = ("same message", "exact", "stale", "own id", "cancel", "reconcile")
CELLS = [(state, call, row[place]) for state, row in TABLE.items() for place, call in enumerate(CALLS) if row[place]]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene.of(Desk(tmp_path, contract=(RECONCILE.kind, RECONCILE.mode)), RECONCILE)


@pytest.mark.parametrize(("state", "call", "answer"), CELLS, ids=[f"{state}-{call}" for state, call, _ in CELLS])
def test_every_call_in_every_state(scene: Scene, state: str, call: str, answer: str) -> None:
    def try_it(operations: Operations) -> None:
        before = _revision(operations, scene)
        assert _answer(scene, operations, call) == answer
        if answer in (same, conflict, unknown, finished, cancelled, damaged, "coalesced"):
            assert _revision(operations, scene) == before  # what is refused, or was there before, writes nothing

    with _in_state(scene, state, try_it):
        pass


@pytest.mark.parametrize("call", [call for call in CALLS if call not in ("same message", "own id")])
def test_an_operation_that_is_not_there(scene: Scene, call: str) -> None:
    scene.operation_id = "operation:none"
    with scene.life() as operations:
        assert _answer(scene, operations, call) == "NotFound"


def test_the_states_are_those_of_the_contract(scene: Scene, tmp_path: Path) -> None:
    for number, state in enumerate(TABLE):
        own = Scene.of(Desk(tmp_path / str(number), contract=(RECONCILE.kind, RECONCILE.mode)), RECONCILE)

        def look(operations: Operations, own: Scene = own, state: str = state) -> None:
            stored = operations.read(own.operation_id)
            shown = stored.state(is_driven=operations.is_driven(own.operation_id))
            assert shown == ("interrupted" if state == "damaged" else state.split(",")[0])

        with _in_state(own, state, look):
            pass


def test_another_body_under_the_same_message_is_a_conflict(scene: Scene) -> None:
    with scene.life() as operations:
        scene.admit(operations)
        with pytest.raises(Problem) as refused:
            operations.admit(scene.desk.admission(message_id="m1", max_calls=7))
        assert refused.value.wire == "MessageConflict"
        assert operations.admit(scene.desk.admission(message_id="m2")) != scene.operation_id
        assert len(operations.engine.state.query("SELECT * FROM operations")) == 2


def test_one_revision_has_one_continuation(scene: Scene) -> None:
    scene.run("W2 after")
    with scene.life("W7 after") as operations:
        first = scene.desk.request(operations, scene.operation_id, "first")
        operations.resume(first)
    with scene.life() as operations:
        assert operations.resume(first) is None  # coalesced, and it starts nothing
        for other, reason in (
            (dataclasses.replace(first, request_id="second"), "stale"),
            (dataclasses.replace(first, revision=first.revision + 1), "id_reused"),
            (dataclasses.replace(first, digest="sha256:" + "0" * 64), "id_reused"),
        ):
            with pytest.raises(Problem) as refused:
                operations.resume(other)
            assert refused.value.wire == conflict
            assert refused.value.details == {"reason": reason, "current_revision": _revision(operations, scene)}
        ended = operations.resume(scene.desk.request(operations, scene.operation_id, "second"))
        assert isinstance(ended, Ended)
        assert operations.resume(first) is None
        assert view(operations, scene.operation_id)["state"] == "completed"


def test_a_refused_request_binds_no_id(scene: Scene) -> None:
    scene.run("W2 after")
    with scene.life() as operations:
        exact = scene.desk.request(operations, scene.operation_id, "r")
        with pytest.raises(Problem):
            operations.resume(dataclasses.replace(exact, revision=exact.revision + 1))
        assert isinstance(operations.resume(exact), Ended)


def test_begun_once_and_only_where_it_was_admitted(scene: Scene) -> None:
    scene.run("W1 after")
    with scene.life() as operations:
        scene.admit(operations)  # the same message
        with pytest.raises(Problem) as refused:
            operations.begin(scene.operation_id)
        assert refused.value.wire == conflict
    assert not scene.provider.launches
    assert isinstance(scene.resume(), Ended)
    with scene.life() as operations, pytest.raises(Problem) as refused:
        operations.begin(scene.operation_id)
    assert refused.value.wire == finished


# --- the calls


def _answer(scene: Scene, operations: Operations, call: str) -> str:
    operation_id = scene.operation_id
    try:
        if call == "same message":
            return same if scene.admit(operations) == operation_id else "another"
        if call == "cancel":
            return operations.cancel(operation_id, "c9")
        if call == "reconcile":
            return operations.reconcile(_question(operations, operation_id), operation_id, "carla").verdict
        outcome = operations.resume(_request(scene, operations, call))
        return "coalesced" if outcome is None else "resumed"
    except Problem as problem:
        return problem.wire


def _question(operations: Operations, operation_id: str):  # type: ignore[no-untyped-def]
    if operation_id == "operation:none":
        from agentl.operations.verdicts import ReconciliationRequest

        return ReconciliationRequest("v9", "package", 1, "sha256:0", "e", "c")
    return question(operations, operation_id, "v9")


def _request(scene: Scene, operations: Operations, call: str) -> ResumeRequest:
    if scene.operation_id == "operation:none":
        return ResumeRequest(scene.operation_id, 1, "sha256:0", "r9")
    if call == "own id":
        assert scene.accepted is not None
        return scene.accepted
    exact = scene.desk.request(operations, scene.operation_id, "r9")
    return dataclasses.replace(exact, revision=exact.revision + 7) if call == "stale" else exact


def _revision(operations: Operations, scene: Scene) -> int:
    found: int = operations.engine.state.query(
        "SELECT MAX(seq) + 1 FROM entries JOIN operations USING (run_id) WHERE operation_id = ?", (scene.operation_id,)
    )[0][0]
    return found


# --- the states


@contextmanager
def _in_state(scene: Scene, state: str, then: Callable[[Operations], None]) -> Iterator[None]:
    """Bring an operation into a state, each but `accepted` through an accepted resume, and do something there."""
    if state == "accepted":
        with scene.life() as operations:
            scene.admit(operations)
            then(operations)
        yield
        return
    if state == "stopped":
        (scene.desk.folder / "desk.agent").write_text(STOPPING, encoding="utf-8")
    if state == "failed":
        scene.provider.behaves = lambda call: _not_applied(scene, call)
    scene.run("W2 after")
    wanted = {"interrupted": "W7 after", "cancelled": "W7 after", "damaged": "W7 after"}
    at = "launch transfer 1 effect" if state.endswith("unknown") else wanted.get(state, "")
    with scene.life(at) as operations:
        scene.accepted = scene.desk.request(operations, scene.operation_id, "own")
        if state == "running":
            scene.cut.then["launch transfer 1 started"] = lambda: then(operations)
        operations.resume(scene.accepted)
    if state != "running":
        with scene.life() as operations:
            if state.startswith("cancelled"):
                assert operations.cancel(scene.operation_id, "c1") == "cancelled"
            if state == "damaged":
                with operations.engine.state.transaction():
                    operations.engine.state.execute("UPDATE operations SET digest = 'sha256:0'")
                assert seen(operations, scene.operation_id)["actions"] == []
            then(operations)
    yield


def _not_applied(scene: Scene, call: ToolCall) -> Applied | NotApplied:
    return NotApplied("no_funds", "no funds") if call.tool == "transfer" else Applied(scene.provider.apply(call))
