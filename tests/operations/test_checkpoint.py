"""The checkpoint (operations-contract.md §4 D and V): a function of the journal's prefix and of nothing else."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentl.operations.checkpoint import Projection
from agentl.operations.layout import DATABASE
from agentl.operations.stored import Stored
from tests.operations.kit import Desk
from tests.operations.model import CONTRACTS, Scene

KEY = CONTRACTS[0]
FIELDS = {
    "schema_version", "operation_id", "run_id", "effect_scope", "profile", "target", "journal", "build", "artifacts",
    "node", "values", "decisions_used", "sandbox", "budget", "pending_dispatch", "trace",
}  # fmt: skip
NESTED = {
    "target": {"agent", "plan"},
    "journal": {"entries", "head"},
    "build": {"runtime", "ir_version", "journal_format"},
    "artifacts": {"program", "policy", "manifest", "grants", "decisions", "handlers"},
    "node": {"path", "phase"},
    "budget": {"max_run_ms", "active_elapsed_ms", "reserved_ms", "max_calls", "calls"},
    "pending_dispatch": {"tool", "effect_id", "call_id", "attempt", "ordinal", "reservation_ms", "ended"},
    "trace": {"prefix_sha256", "next_seq"},
}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene.of(Desk(tmp_path), KEY)


def _stored(scene: Scene) -> Stored:
    with scene.life() as operations:
        return operations.read(scene.operation_id)
    raise AssertionError


def _row(scene: Scene, columns: str) -> Any:
    with sqlite3.connect(scene.desk.path / "state" / DATABASE) as database:
        found = database.execute(f"SELECT {columns} FROM operations").fetchone()
    database.close()
    return found


# --- the document and its digest


def test_the_document_has_the_fields_of_the_contract_and_no_more(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    checkpoint = _stored(scene).checkpoint
    assert checkpoint is not None
    document = checkpoint.document
    assert set(document) == FIELDS
    for name, fields in NESTED.items():
        assert set(document[name]) == fields, name
    assert document["schema_version"] == "touba-run-checkpoint-v1"
    assert document["node"] == {"path": "pay/move/1", "phase": "reserved"}
    assert document["pending_dispatch"]["call_id"] == scene.transfers[0].call_id
    assert document["pending_dispatch"]["effect_id"] == scene.transfers[0].effect_id
    assert document["pending_dispatch"]["ended"] is None
    assert set(document["artifacts"]["handlers"]) == {f"tool:desk/{tool}" for tool in ("quote", "transfer", "notify")}


def test_it_holds_neither_arguments_of_a_call_nor_who_asked(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    checkpoint = _stored(scene).checkpoint
    assert checkpoint is not None and "acme" not in checkpoint.text


def test_it_shows_the_values_something_later_reads_and_no_others(scene: Scene) -> None:
    values: list[dict[str, Any]] = []
    scene.provider.watch = lambda call: values.append(json.loads(_row(scene, "checkpoint")[0])["values"])
    scene.run("W4 notify after")
    values.append(_stored(scene).checkpoint.document["values"])  # type: ignore[union-attr]
    # Nothing reads quote.ref; transfer.ref is an argument of notify and part of what is given.
    assert values == [{}, {}, {"transfer.ref": "transfer-2"}, {"notify.ref": "notify-3", "transfer.ref": "transfer-2"}]


def test_every_stored_checkpoint_is_that_of_its_prefix(scene: Scene) -> None:
    noted: list[tuple[int, str]] = []
    scene.provider.watch = lambda call: noted.append(_row(scene, "entries, digest"))
    scene.run("launch transfer 1 effect")
    scene.resume()
    noted.append(_row(scene, "entries, digest"))
    stored = _stored(scene)
    assert stored.inspection is not None
    assert len(noted) == 5
    for entries, digest in noted:
        derived = Projection.over(stored.agent, stored.inspection.entries[:entries]).checkpoint()
        assert (derived.revision, derived.digest) == (entries, digest)


READING = """
import sys
from agentl.operations.state import StateFolder
from agentl.operations.stored import read_operation
state = StateFolder(sys.argv[1])
assert state.read()
stored = read_operation(state, sys.argv[2])
assert stored.problem is None, stored.problem
print(stored.checkpoint.revision, stored.checkpoint.digest)
"""


def test_the_same_journal_has_the_same_digest_anywhere(scene: Scene, tmp_path: Path) -> None:
    scene.run("launch transfer 1 effect")
    checkpoint = _stored(scene).checkpoint
    assert checkpoint is not None
    shutil.copytree(scene.desk.path / "state", tmp_path / "elsewhere" / "copied", copy_function=shutil.copy2)
    (tmp_path / "elsewhere" / "copied").chmod(0o700)
    for zone, language, seed in (("Pacific/Kiritimati", "fr", "1"), ("America/Lima", "en", "77")):
        environment = {**os.environ, "TZ": zone, "AGENTL_LANG": language, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
        told = subprocess.run(
            [sys.executable, "-c", READING, str(tmp_path / "elsewhere" / "copied"), scene.operation_id],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        assert told.stdout.split() == [str(checkpoint.revision), checkpoint.digest]


def test_the_revision_counts_entries_and_nothing_else_moves_it(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    first = scene.look()["freshness"]
    scene.provider.digests["transfer"] = "sha256:other"
    assert scene.resume() == "ArtifactChanged"
    scene.clocks.wall += 1_000_000
    again = scene.look()["freshness"]
    for name in ("checkpoint_revision", "checkpoint_digest"):
        assert again[name] == first[name]
    assert again["owner_generation"] > first["owner_generation"]
    assert again["observed_at"] != first["observed_at"]
    assert first["checkpoint_revision"] == len(_stored(scene).inspection.entries)  # type: ignore[union-attr]
