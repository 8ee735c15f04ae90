"""Altered state (operations-contract.md §7): one difference between checkpoint and journal is repaired (G26), every
other is refused (G27), and so is an older copy of the whole database (G25).
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentl.journal.errors import OwnedElsewhere
from agentl.operations.checkpoint import Checkpoint, Projection
from agentl.operations.driving import Ended
from agentl.operations.layout import DATABASE
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.state import StateFolder
from agentl.operations.stored import Stored, read_operation
from agentl.values import canonical_json
from tests.operations.kit import Desk, seen
from tests.operations.model import CONTRACTS, Scene, question

KEY = CONTRACTS[0]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene.of(Desk(tmp_path), KEY)


def _stored(scene: Scene) -> Stored:
    with scene.life() as operations:
        return operations.read(scene.operation_id)
    raise AssertionError


def _alter(scene: Scene, statement: str, *arguments: object) -> None:
    """By hand, past every rule."""
    with sqlite3.connect(scene.desk.path / "state" / DATABASE) as database:
        database.execute(statement, arguments)
    database.close()


def _row(scene: Scene, columns: str) -> Any:
    with sqlite3.connect(scene.desk.path / "state" / DATABASE) as database:
        found = database.execute(f"SELECT {columns} FROM operations").fetchone()
    database.close()
    return found


# --- altered by hand


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.soak), 61])
def test_no_byte_can_be_turned_unseen(scene: Scene, step: int) -> None:
    scene.run("launch transfer 1 effect")
    with scene.life() as operations:
        state = operations.engine.state
        assert operations.read(scene.operation_id).problem is None
        turned = 0
        for table, column, key in (
            ("entries", "body", "seq"),
            ("operations", "checkpoint", "operation_id"),
            ("operations", "digest", "operation_id"),
            ("operations", "head_h", "operation_id"),
            ("artifacts", "data", "digest"),
        ):
            for value, name in state.query(f"SELECT CAST({column} AS BLOB), {key} FROM {table}"):
                for place in range(turned % step, len(value), step):
                    other = bytearray(value)
                    other[place] ^= 1
                    told = _altered(operations, scene, table, column, key, name, bytes(other), value)
                    assert told in ("CheckpointDamaged", "EffectLedgerMismatch", "BuildIncompatible"), (table, place)
                    turned += 1
        assert turned > 6000 / step
        assert operations.read(scene.operation_id).problem is None


def _altered(
    operations: Operations, scene: Scene, table: str, column: str, key: str, name: object, other: bytes, value: bytes
) -> str:
    state = operations.engine.state
    kind = "TEXT" if column in ("digest", "head_h") else "BLOB"
    for data in (other, value):
        with state.transaction():
            state.execute(f"UPDATE {table} SET {column} = CAST(? AS {kind}) WHERE {key} = ?", (data, name))
        if data is other:
            problem = operations.read(scene.operation_id).problem
    return problem.wire if problem is not None else ""


ALTERED: list[tuple[str, str]] = [
    ("entries = entries + 1", "CheckpointDamaged"),
    ("entries = 'x'", "CheckpointDamaged"),
    ("ended = 'completed'", "CheckpointDamaged"),
    ("digest = ''", "CheckpointDamaged"),
    ("checkpoint = ''", "CheckpointDamaged"),
    ("checkpoint = 'x'", "CheckpointDamaged"),
    ("checkpoint = '{}'", "CheckpointDamaged"),
    ("checkpoint = '[1]'", "CheckpointDamaged"),
    ("checkpoint = CAST(checkpoint AS TEXT) || ' '", "CheckpointDamaged"),
    ("head_seq = 99", "CheckpointDamaged"),
    ("head_seq = 'x'", "CheckpointDamaged"),
    ("head_h = 'x'", "CheckpointDamaged"),
    ("run_id = 'run:other'", "CheckpointDamaged"),
]


@pytest.mark.parametrize(("change", "code"), ALTERED, ids=[change for change, _ in ALTERED])
def test_no_column_can_be_altered_unseen(scene: Scene, change: str, code: str) -> None:
    scene.run("launch transfer 1 effect")
    _alter(scene, f"UPDATE operations SET {change}")
    _is_damaged(scene, code)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entries WHERE seq = (SELECT MAX(seq) FROM entries)",
        "DELETE FROM entries WHERE seq = 2",
        "DELETE FROM entries",
        "DELETE FROM files",
        "DELETE FROM artifacts",
        "INSERT INTO entries SELECT run_id, seq + 100, body FROM entries WHERE seq = 1",
    ],
)
def test_nothing_can_be_taken_away_or_put_in_unseen(scene: Scene, statement: str) -> None:
    scene.run("launch transfer 1 effect")
    _alter(scene, statement)
    _is_damaged(scene, "CheckpointDamaged")


def _is_damaged(scene: Scene, *codes: str) -> None:
    shown = scene.look()
    assert shown["refusal"]["code"] in codes
    assert (shown["resumable"], shown["actions"]) == (False, [])
    launched = len(scene.provider.launches)
    assert scene.resume() in (*codes, "DurableResumeConflict")
    with scene.life() as operations:
        with pytest.raises(Problem):
            operations.cancel(scene.operation_id, "c1")
        with pytest.raises(Problem):
            operations.reconcile(question(operations, scene.operation_id, "v1"), scene.operation_id, "carla")
    assert len(scene.provider.launches) == launched


# --- one difference is repaired (G26), every other is not (G27)


def _put_back(scene: Scene, entries: int, change: Callable[[dict[str, Any]], object] = lambda document: None) -> None:
    """Store the checkpoint of an earlier prefix, with a digest that fits it."""
    stored = _stored(scene)
    assert stored.inspection is not None
    kept = stored.inspection.entries
    document = json.loads(canonical_json(Projection.over(stored.agent, kept[:entries]).checkpoint().document))
    change(document)
    copy = Checkpoint.of(document)
    head = max((entry["seq"] for entry in kept[:entries] if entry["kind"] in ("owner", "intent", "control")), default=0)
    _alter(
        scene,
        "UPDATE operations SET checkpoint = ?, digest = ?, entries = ?, ended = NULL, head_seq = ?, head_h = ?",
        *(copy.text.encode(), copy.digest, copy.revision, head, kept[head]["h"]),
    )


def test_g26_the_receipt_of_its_own_reservation_repairs_a_checkpoint(scene: Scene) -> None:
    scene.run("W4 transfer after")
    entries = _row(scene, "entries")[0]
    _put_back(scene, entries - 1)
    shown = scene.look()
    assert shown["freshness"]["checkpoint_revision"] == entries
    assert (shown["resumable"], shown["effects"]["applied"], shown["effects"]["unknown"]) == (True, 1, 0)
    ended = scene.resume()
    assert isinstance(ended, Ended) and ended.state == "completed"
    assert (scene.effects, len(scene.transfers)) == (1, 1)
    assert _stored(scene).problem is None


PENDING: list[tuple[str, object]] = [
    ("call_id", "run:other:n1"),
    ("attempt", 2),
    ("ordinal", 3),
    ("effect_id", "0" * 32),
    ("reservation_ms", 1),
    ("tool", "notify"),
    ("ended", "unknown"),
]


@pytest.mark.parametrize(("name", "value"), PENDING, ids=[name for name, _ in PENDING])
def test_g26_only_with_the_very_same_call(scene: Scene, name: str, value: object) -> None:
    scene.run("W4 transfer after")
    _put_back(scene, _row(scene, "entries")[0] - 1, lambda document: document["pending_dispatch"].update({name: value}))
    _is_damaged(scene, "EffectLedgerMismatch")


@pytest.mark.parametrize("behind", [2, 3, 5])
def test_g27_any_other_older_checkpoint_is_a_mismatch(scene: Scene, behind: int) -> None:
    scene.run("W4 transfer after")
    _put_back(scene, _row(scene, "entries")[0] - behind)
    _is_damaged(scene, "EffectLedgerMismatch")


def test_g27_a_reservation_the_checkpoint_does_not_know_is_a_mismatch(scene: Scene) -> None:
    scene.run("W3 transfer after")
    _put_back(scene, _row(scene, "entries")[0] - 1)
    _is_damaged(scene, "EffectLedgerMismatch")


@pytest.mark.parametrize(
    "change",
    [
        {"values": {"transfer.ref": "mine"}},
        {"budget": {"max_run_ms": 300_000, "active_elapsed_ms": 0, "reserved_ms": 0, "max_calls": 100, "calls": 0}},
        {"pending_dispatch": None},
        {"decisions_used": [{"decision_id": "d", "action_digest": "0"}]},
        {"sandbox": "enforced"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_g27_another_checkpoint_with_a_fitting_digest_is_a_mismatch(scene: Scene, change: dict[str, Any]) -> None:
    scene.run("launch transfer 1 effect")
    _put_back(scene, _row(scene, "entries")[0], lambda document: document.update(change))
    _is_damaged(scene, "EffectLedgerMismatch")


def test_what_another_release_showed_as_values_is_no_damage(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """How far a release sees which values are still read is its own; all else of a checkpoint is not."""
    scene.run("launch transfer 1 effect")
    _put_back(scene, _row(scene, "entries")[0], lambda document: document.update(values={"quote.ref": "quote-1"}))
    assert scene.look()["refusal"]["code"] == "EffectLedgerMismatch"
    monkeypatch.setattr("agentl.operations.stored.__version__", "99.0")
    assert scene.look()["refusal"] is None
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1


# --- an older copy of the whole database (G25)


def _copy(scene: Scene, name: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        source = scene.desk.path / "state" / f"{DATABASE}{suffix}"
        if source.exists():
            shutil.copy2(source, scene.desk.path / f"{name}{suffix}")


def _restore(scene: Scene, name: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        target = scene.desk.path / "state" / f"{DATABASE}{suffix}"
        target.unlink(missing_ok=True)
        if (scene.desk.path / f"{name}{suffix}").exists():
            shutil.copy2(scene.desk.path / f"{name}{suffix}", target)


def test_g25_an_older_copy_is_recognised_until_it_is_accepted(scene: Scene) -> None:
    scene.run("W3 transfer after")
    _copy(scene, "backup")
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1
    _restore(scene, "backup")
    _is_damaged(scene, "CheckpointDamaged")
    _is_damaged(scene, "CheckpointDamaged")  # still, after commits that count on
    with scene.life() as operations:
        operations.engine.state.accept_restore()
        assert seen(operations, scene.operation_id)["resumable"] is True
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1  # the provider keeps its word


def test_g25_a_reader_sees_it_too_and_changes_nothing(scene: Scene) -> None:
    scene.run("W3 transfer after")
    _copy(scene, "backup")
    scene.resume()
    _restore(scene, "backup")
    for _ in range(2):
        state = StateFolder(scene.desk.path / "state", clocks=scene.clocks)
        assert state.read()
        problem = read_operation(state, scene.operation_id).problem
        assert problem is not None and problem.wire == "CheckpointDamaged"
        state.close()


def test_g25_what_has_ended_stays_readable(scene: Scene) -> None:
    assert isinstance(scene.run(), Ended)
    _copy(scene, "backup")
    with scene.life() as operations:
        operations.admit(scene.desk.admission(message_id="m2"))
    _restore(scene, "backup")
    shown = scene.look()
    assert (shown["state"], shown["refusal"]) == ("completed", None)


def test_g25_a_register_that_lost_its_last_word_accuses_nobody(scene: Scene, tmp_path: Path) -> None:
    scene.run("W3 transfer after")
    registers = list((tmp_path / "xdg").rglob("*.json"))
    assert len(registers) == 2  # of the path, of the identity
    for register in registers:
        register.unlink()
    assert scene.look()["resumable"] is True
    for register in registers:
        noted = json.loads(register.read_text())
        register.write_text(json.dumps({**noted, "commits": noted["commits"] - 2}))
    assert scene.look()["resumable"] is True
    for register in registers:
        register.write_text("torn {")
    assert scene.look()["resumable"] is True


# --- a copy elsewhere (decision 29)


def test_of_two_copies_only_one_goes_on(scene: Scene) -> None:
    scene.run("W3 transfer after")
    kept = scene.desk.path / "kept"
    shutil.copytree(scene.desk.path / "state", kept)
    assert isinstance(scene.resume(), Ended)
    shutil.rmtree(scene.desk.path / "state")
    elsewhere = StateFolder(kept, clocks=scene.clocks)
    elsewhere.own()
    problem = read_operation(elsewhere, scene.operation_id).problem
    assert problem is not None and problem.wire == "CheckpointDamaged"
    elsewhere.close()


def test_a_copy_that_goes_on_meanwhile_stops_the_other_at_its_next_write(scene: Scene) -> None:
    scene.run("W3 transfer after")
    kept = scene.desk.path / "kept"
    state = StateFolder(scene.desk.path / "state", clocks=scene.clocks)
    state.own()
    shutil.copytree(scene.desk.path / "state", kept)
    copy = StateFolder(kept, clocks=scene.clocks)
    copy.own()
    for _ in range(3):
        with copy.transaction():
            pass
    with pytest.raises(OwnedElsewhere), state.transaction():
        pytest.fail("written in two copies")
    copy.close()
    state.close()
