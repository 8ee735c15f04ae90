"""SQLiteStore: what is its own (transactions, no torn rows, locks of the database)."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from agentl.journal import entries
from agentl.journal.errors import Damage, OwnedElsewhere, StorageFailure, UnknownFormat
from agentl.journal.inspection import State, inspect
from agentl.journal.stores import SQLiteStore
from tests.journal.kit import SCRIPT, World, drive, intent, open_log, started, taken


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def _change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_the_database_is_in_wal_mode_fully_synchronous_and_private(path: Path) -> None:
    store = SQLiteStore(path, "r7")
    log = started(store)
    connection = store._open()
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    log.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_entries_without_barrier_wait_for_the_transaction_of_the_next(path: Path) -> None:
    log = started(SQLiteStore(path, "r7"))
    log.append(entries.crossing("read", "a"))
    assert "read" not in inspect(SQLiteStore(path, "r7")).counts
    log.append(intent("pay"))
    assert inspect(SQLiteStore(path, "r7")).counts["read"] == 1
    log.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = replace(body, 'claim', 'clain') WHERE seq = 2",
        "UPDATE entries SET body = substr(body, 1, 20) WHERE seq = (SELECT max(seq) FROM entries)",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries WHERE seq >= 8",
        "DELETE FROM entries",
    ],
)
def test_any_change_is_damage_never_a_torn_tail(path: Path, statement: str) -> None:
    drive(SQLiteStore(path, "r7"), SCRIPT, World())
    _change(path, statement)
    assert inspect(SQLiteStore(path, "r7")).state is State.DAMAGED
    with pytest.raises(Damage):
        open_log(SQLiteStore(path, "r7"))


def test_a_row_written_by_another_stops_the_owner_before_the_next_call(path: Path) -> None:
    log = started(SQLiteStore(path, "r7"))
    _change(path, "INSERT INTO entries VALUES ('r7', 2, 'x')")
    with pytest.raises(OwnedElsewhere):
        log.assert_owner()
    with pytest.raises(StorageFailure):
        log.append(intent("pay"))
    log.close()


def test_waiting_entries_are_not_written_over_those_of_another(path: Path) -> None:
    log = started(SQLiteStore(path, "r7"))
    log.append(entries.crossing("read", "a"))
    _change(path, "INSERT INTO entries VALUES ('r7', 2, 'x')")
    with pytest.raises(OwnedElsewhere):
        log.flush()
    log.close()


def test_a_replaced_database_stops_the_owner(path: Path) -> None:
    log = started(SQLiteStore(path, "r7"))
    path.rename(path.with_name("moved.db"))
    with pytest.raises(OwnedElsewhere):
        log.append(intent("pay"))
    log.close()


def test_another_layout_is_refused(path: Path) -> None:
    started(SQLiteStore(path, "r7")).close()
    _change(path, "PRAGMA user_version=9")
    with pytest.raises(UnknownFormat, match="layout 9"):
        open_log(SQLiteStore(path, "r7"))


def test_what_is_no_database_is_a_storage_failure_that_names_the_file(path: Path) -> None:
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 30)
    with pytest.raises(StorageFailure, match=r"runs\.db"):
        open_log(SQLiteStore(path, "r7"))


def test_a_killed_owner_leaves_a_database_that_goes_on(path: Path) -> None:
    pid = os.fork()
    if pid == 0:
        log = started(SQLiteStore(path, "r7"))
        log.append(intent("pay"))
        os._exit(9)
    os.waitpid(pid, 0)
    log = taken(SQLiteStore(path, "r7"))
    assert log.machine.intent("pay", action_id="r7:DESK:t1:a1", digest=f"{1:064x}") is not None
    assert log.machine.at_end()
    log.close()
