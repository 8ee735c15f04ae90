"""Run folders of released formats open for ever (case F7)."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from agentl.journal.export import export_run
from agentl.journal.inspection import State, inspect
from agentl.journal.kinds import KINDS
from agentl.journal.stores import FileStore
from tests.journal.kit import FakeClocks, open_log, taken

HISTORIES = Path(__file__).parent.parent / "histories"
# Reserved in the format, written by no release yet.
NOT_YET_WRITTEN = {"settle", "control", "snapshot", "upgrade"}
CLOCKS = FakeClocks(host="desk-1", boot_id="another boot")


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(HISTORIES / request.param, tmp_path / "run"))


def test_every_kind_of_entry_has_a_history() -> None:
    seen = {
        entry["kind"] for path in HISTORIES.glob("*/*/wal.jsonl") for entry in inspect(FileStore(path.parent)).entries
    }
    assert seen == KINDS - NOT_YET_WRITTEN


@pytest.mark.parametrize("folder", ["journal-1/finished"], indirect=True)
def test_a_finished_run_of_format_1_reads_as_it_was_written(folder: Path) -> None:
    seen = inspect(FileStore(folder))
    assert (seen.state, seen.status, seen.run_id) == (State.ENDED, "ended, in doubt", "r7")
    assert seen.head == "8ac3a50e8f4b1dc3a22da834c9b232bbbc45ff48e73eb820635dcccabad6f474"
    assert (seen.crossings, seen.pending) == (15, [])
    assert [action.tool for action in seen.doubts] == ["AUDIT"]
    log = open_log(FileStore(folder), CLOCKS)
    machine = log.machine
    failed = machine.crossing("read", "claim.state") and machine.crossing("read", "ledger.frozen")
    assert failed is not None and failed.error == ("TimeoutError", "probe took too long")
    log.close()
    journal = export_run(seen)
    assert journal.head == seen.head
    refund = next(entry for entry in journal.entries if entry["kind"] == "invoke")
    assert refund["args"] == {"$dict": [["order", "ord-17"], ["amount", 40]]}


@pytest.mark.parametrize("folder", ["journal-1/finished"], indirect=True)
def test_every_value_of_format_1_is_read_as_the_value_it_was(folder: Path) -> None:
    journal = export_run(inspect(FileStore(folder)))
    journal.entries = [entry for entry in journal.entries if entry["key"] == "issue_refund"]
    value = journal.replay_value("invoke", "issue_refund", {"amount": 40, "order": "ord-17"})
    assert value == {
        "receipt": "R-99",
        "paid": Decimal("40.00"),
        "tags": {"a", "b"},
        "raw": b"\x00\xff",
        "ids": (1, 2),
        "rate": float("inf"),
    }


@pytest.mark.parametrize("folder", ["journal-1/interrupted"], indirect=True)
def test_an_interrupted_run_of_format_1_is_taken_up_where_it_stopped(folder: Path) -> None:
    seen = inspect(FileStore(folder))
    assert (seen.state, seen.status) == (State.TORN, "running")
    assert seen.head == "fd4b83c9864275a714e25a7cbc3345398d42d483fd48a7ed4deeb2a9b86a4c4f"
    (pending,) = seen.pending
    assert (pending.action_id, pending.key) == ("r7:DESK:t1:a1", "548c886a2798faff1fccd725ff47f10b")
    log = taken(FileStore(folder), CLOCKS)
    assert log.torn_name == "wal.torn-1"
    assert log.machine.crossing("read", "claim.state") is not None
    log.close()
    assert inspect(FileStore(folder)).state is State.RUNNING
