"""The order of the checks of a resume (operations-contract.md §4 R): of all that is wrong, the first answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.recovery import recovery
from tests.operations.kit import Desk
from tests.operations.model import Contract, Scene

# In their order. Everything behind the named one is wrong as well.
ORDER = [
    "id_reused",
    "OperationCancelled",
    "running",
    "CheckpointDamaged",
    "stale",
    "OperationNotResumable",
    "BuildIncompatible",
    "ArtifactChanged",
    "DecisionExpired",
    "EffectOutcomeUnknown",
    "RunTimeBudgetExceeded",
    "AuthorityRevoked",
    "AttemptStillRunning",
    "",
]
# What `resumable` of the projection knows: all but who asks, and what still lives.
OF_THE_PROJECTION = ORDER[ORDER.index("OperationNotResumable") : ORDER.index("AuthorityRevoked")]


class Faults:
    """An interrupted operation of which everything from one check on is wrong."""

    def __init__(self, path: Path, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wrong = frozenset(ORDER[ORDER.index(first) :])
        mode = "none" if "EffectOutcomeUnknown" in self.wrong else "idempotency_key"
        contract = Contract("of the test", "external_write", mode)
        self.scene = Scene.of(Desk(path, contract=(contract.kind, contract.mode)), contract)
        limit = 1500 if "RunTimeBudgetExceeded" in self.wrong else 40_000
        profile = "general" if "OperationNotResumable" in self.wrong else "sequential"
        self.scene.run("launch transfer 1 started", max_run_ms=limit, profile=profile)
        if "BuildIncompatible" in self.wrong:
            monkeypatch.setattr("agentl.operations.resuming.IR_VERSION", 0)
        if "ArtifactChanged" in self.wrong:
            self.scene.provider.digests["transfer"] = "sha256:other"
        if "AttemptStillRunning" in self.wrong:
            monkeypatch.setattr(self.scene.provider, "clear", lambda call_id: False)

    def spoil(self, operations: Operations) -> Operations:
        """What is wrong in the folder, and with who asks."""
        state, operation_id = operations.engine.state, self.scene.operation_id
        if "OperationCancelled" in self.wrong:
            operations.cancel(operation_id, "c1")
        with state.transaction():
            if "CheckpointDamaged" in self.wrong:
                state.execute("UPDATE operations SET digest = 'sha256:0'")
            if "DecisionExpired" in self.wrong:
                state.execute(
                    "INSERT INTO decisions (decision_id, body, tool, action, verdict, expires, subject, operation_id) "
                    "VALUES ('d', '', 'transfer', '', 'approve', 0, 'carla', ?)",
                    (operation_id,),
                )
        authority = _revoked if "AuthorityRevoked" in self.wrong else lambda: None
        engine = operations.engine
        return Operations(Engine(engine.state, engine.project, engine.caller, engine.monotonic, authority))


def _revoked() -> None:
    raise Problem("AuthorityRevoked", {})


@pytest.mark.parametrize("first", ORDER[1:], ids=lambda first: first or "nothing")
def test_the_first_check_that_fails_answers_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    faults = Faults(tmp_path, first, monkeypatch)
    scene = faults.scene
    with scene.life() as operations:
        exact = scene.desk.request(operations, scene.operation_id, "r1")
        operations = faults.spoil(operations)
        asked = dataclasses.replace(exact, revision=exact.revision + 1) if "stale" in faults.wrong else exact
        stored = operations.read(scene.operation_id)
        shown = recovery(operations.engine, stored)
        before = operations.engine.state.query("SELECT COUNT(*) FROM entries")
        if "running" in faults.wrong:
            monkeypatch.setattr(operations, "is_driven", lambda operation_id: True)
        answer = _answer(lambda: operations.resume(asked))
        assert answer == first
        if first:
            assert operations.engine.state.query("SELECT COUNT(*) FROM entries") == before
        assert shown["resumable"] is (first not in ORDER[: ORDER.index("AuthorityRevoked")])
        if first in OF_THE_PROJECTION:
            assert shown["refusal"]["code"] == first
            assert "resume" not in shown["actions"]


def test_an_id_used_before_is_judged_before_everything_else(tmp_path: Path) -> None:
    contract = Contract("of the test", "external_write", "none")
    scene = Scene.of(Desk(tmp_path, contract=(contract.kind, contract.mode)), contract)
    scene.run("W2 after")
    with scene.life("launch transfer 1 started") as operations:
        used = scene.desk.request(operations, scene.operation_id, "used")
        operations.resume(used)
    with scene.life() as operations:
        operations.cancel(scene.operation_id, "c1")
        assert _answer(lambda: operations.resume(dataclasses.replace(used, revision=99))) == "id_reused"
        assert operations.resume(used) is None


def _answer(call: Callable[[], object]) -> str:
    try:
        call()
    except Problem as problem:
        reason: str = problem.details.get("reason", problem.wire)
        return reason if problem.wire == "DurableResumeConflict" else problem.wire
    return ""
