"""Signed checkpoints: what was rewritten is refused, in every way of rewriting (operations-contract.md §4, §7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentl.journal.seal import SealError, generate_ed25519
from agentl.operations.driving import Ended
from agentl.operations.problems import Problem
from agentl.operations.signing import sign_with, verify_with
from tests.operations.kit import Desk
from tests.operations.world import Killed


@pytest.fixture(autouse=True)
def _own_state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    return generate_ed25519(tmp_path / "keys")


def signed_and_killed(desk: Desk, private: Path) -> str:
    """An operation whose process died after the effect of its first call; every checkpoint signed."""
    desk.world.kill_at = "effect"
    with desk.opened() as operations:
        sign_with(operations.engine.state, private)
        operation_id = operations.admit(desk.admission())
        with pytest.raises(Killed):
            operations.begin(operation_id)
    return operation_id


def problem_with(desk: Desk, operation_id: str, public: Path, *changes: tuple[Any, ...]) -> Problem | None:
    with desk.opened() as operations:
        state = operations.engine.state
        for statement, *arguments in changes:
            with state.transaction():
                state.execute(statement, tuple(arguments))
        verify_with(state, public)
        return operations.read(operation_id).problem


def test_every_step_is_signed_and_verified_and_the_operation_ends(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    desk = Desk(tmp_path)
    operation_id = signed_and_killed(desk, keys[0])
    assert problem_with(desk, operation_id, keys[1]) is None
    with desk.opened() as operations:
        sign_with(operations.engine.state, keys[0])
        outcome = operations.resume(desk.request(operations, operation_id))
        assert isinstance(outcome, Ended) and outcome.state == "completed"
    assert problem_with(desk, operation_id, keys[1]) is None


@pytest.mark.parametrize(
    "signature", [None, "", "no json", "[]", '{"alg": "Ed25519"}', '{"alg": "Ed25519", "key_id": "x", "value": "00"}']
)
def test_a_missing_or_broken_signature_is_damage(
    tmp_path: Path, keys: tuple[Path, Path], signature: str | None
) -> None:
    desk = Desk(tmp_path)
    operation_id = signed_and_killed(desk, keys[0])
    problem = problem_with(desk, operation_id, keys[1], ("UPDATE operations SET signature = ?", signature))
    assert problem is not None and problem.wire == "CheckpointDamaged"


def test_the_signature_of_another_checkpoint_is_damage(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    desk = Desk(tmp_path)
    first, second = signed_and_killed(desk, keys[0]), signed_and_killed(desk, keys[0])
    with desk.opened() as operations:
        ((signature,),) = operations.engine.state.query(
            "SELECT signature FROM operations WHERE operation_id = ?", (first,)
        )
    swap = ("UPDATE operations SET signature = ? WHERE operation_id = ?", signature, second)
    problem = problem_with(desk, second, keys[1], swap)
    assert problem is not None and problem.wire == "CheckpointDamaged"


def test_another_key_verifies_nothing(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    desk = Desk(tmp_path)
    operation_id = signed_and_killed(desk, keys[0])
    _, other = generate_ed25519(tmp_path / "other")
    assert problem_with(desk, operation_id, other) is not None


def test_a_consistent_rewrite_without_the_key_is_refused(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """Whoever writes the folder can go on without the key: journal, checkpoint and digests fit, and are not taken."""
    desk = Desk(tmp_path)
    operation_id = signed_and_killed(desk, keys[0])
    with desk.opened() as operations:
        operations.cancel(operation_id, "c-1")
        assert operations.read(operation_id).problem is None
    problem = problem_with(desk, operation_id, keys[1])
    assert problem is not None and "not signed" in problem.text


def test_who_signs_refuses_what_is_not_signed_already(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    desk = Desk(tmp_path)
    operation_id = signed_and_killed(desk, keys[0])
    with desk.opened() as operations:
        state = operations.engine.state
        with state.transaction():
            state.execute("UPDATE operations SET signature = NULL")
        sign_with(state, keys[0])
        with pytest.raises(Problem) as refused:
            operations.resume(desk.request(operations, operation_id))
        assert refused.value.wire == "CheckpointDamaged"


@pytest.mark.parametrize("name", ["secret.txt", "journal.pub"])
def test_only_an_ed25519_private_key_signs(tmp_path: Path, keys: tuple[Path, Path], name: str) -> None:
    file = tmp_path / "keys" / name
    if not file.exists():
        file.write_text("a secret of an HMAC")
    with Desk(tmp_path).opened() as operations, pytest.raises(SealError):
        sign_with(operations.engine.state, file)
