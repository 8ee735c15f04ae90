"""SQLiteStore: several runs in one database file; every flushed batch is one transaction (durable.md §10)."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from agentl.journal.errors import OwnedElsewhere, StorageFailure, UnknownFormat
from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder, StoredRun
from agentl.journal.stores.database import address_of, committed
from agentl.journal.stores.folder import Folder, check_place, storage_failure
from agentl.journal.stores.lockfile import LockFile
from agentl.journal.stores.names import checked_name
from agentl.journal.stores.notes import parse_meta
from agentl.journal.stores.syscalls import Syscalls
from agentl.messages import durable as say

LAYOUT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (run_id TEXT PRIMARY KEY, meta TEXT, head_seq INTEGER, head_h TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (run_id TEXT, seq INTEGER, body BLOB NOT NULL, PRIMARY KEY (run_id, seq))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (run_id TEXT, name TEXT, data BLOB NOT NULL, PRIMARY KEY (run_id, name))
    WITHOUT ROWID;
"""


class SQLiteStore:
    """Keeps the run `run_id` in the database `path`, next to others. Lock files stand beside the database.

    Entries that need no flush wait in memory for the transaction of the next that does. `at_my_risk` accepts a network
    file system.
    """

    def __init__(self, path: str | os.PathLike[str], run_id: str, *, at_my_risk: bool = False) -> None:
        calls = Syscalls()
        self._shown = os.fspath(path)
        resolved = os.path.realpath(self._shown)
        directory, self._name = os.path.split(resolved)
        self._folder = Folder(directory, calls)
        self._calls = calls
        self._path = resolved
        self._run_id = run_id
        self._at_my_risk = at_my_risk
        mark = hashlib.sha256(run_id.encode("utf-8")).hexdigest()[:16]
        self._lock = LockFile(self._folder, f"{self._name}.{mark}.lock", calls)
        self._connection: sqlite3.Connection | None = None
        self._identity = (0, 0)
        self._waiting: list[bytes] = []
        self._count = 0  # entries in the database
        self._head: Head | None = None
        self._head_noted = True
        self._failed = False

    @classmethod
    def runs(cls, path: str | os.PathLike[str]) -> list[str]:
        """The ids of the runs in a database, sorted; [] when there is no such file."""
        store = cls(path, "")
        if not store._folder.size(store._name):
            return []
        with store._failing("read"), closing(store._connect("ro")) as connection:
            rows = connection.execute("SELECT run_id FROM runs UNION SELECT run_id FROM entries ORDER BY 1")
            return [str(row[0]) for row in rows]

    @property
    def path(self) -> str:
        return f"{self._shown}#{self._run_id}"

    def _connect(self, mode: str) -> sqlite3.Connection:
        # INVARIANT: the database is never opened by other means while a connection may exist: closing any handle of it
        # would drop SQLite's own locks in this process. So it is not read past the page cache here.
        connection = sqlite3.connect(
            address_of(self._path, mode), uri=True, isolation_level=None, check_same_thread=False, timeout=30
        )
        try:
            layout = connection.execute("PRAGMA user_version").fetchone()[0]
            if layout not in (0, LAYOUT):
                raise UnknownFormat.of(
                    say.UNKNOWN_FORMAT, format=f"SQLite layout {layout}", known=f"SQLite layout {LAYOUT}", release="?"
                )
            if mode == "rw":
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
                connection.executescript(_TABLES)
                connection.execute(f"PRAGMA user_version={LAYOUT}")
        except BaseException:
            connection.close()
            raise
        return connection

    # --- reading

    def load(self) -> StoredRun:
        if not self._folder.size(self._name):
            return StoredRun(self._lock.exists(), tearable=False)
        with self._failing("read"), closing(self._connect("ro")) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone():
                return StoredRun(self._lock.exists(), tearable=False)
            connection.execute("BEGIN")
            bodies = connection.execute(
                "SELECT CAST(body AS BLOB) FROM entries WHERE run_id = ? ORDER BY seq", (self._run_id,)
            )
            data = b"".join(bytes(row[0]) for row in bodies)
            run = connection.execute(
                "SELECT meta, head_seq, head_h FROM runs WHERE run_id = ?", (self._run_id,)
            ).fetchone()
        if run is None:
            return StoredRun(bool(data) or self._lock.exists(), data, tearable=False)
        meta = None if run[0] is None else parse_meta(str(run[0]).encode("utf-8"))
        head = None if run[1] is None else Head(int(run[1]), str(run[2]))
        return StoredRun(True, data, head, meta, tearable=False)

    def holder(self) -> Holder | None:
        return self._lock.holder()

    # --- ownership

    def lock(self) -> bool:
        check_place(self._path, at_my_risk=self._at_my_risk)
        self._folder.create()
        return self._lock.acquire()

    def note_holder(self, holder: Holder | None) -> None:
        self._lock.note(holder)

    def prepare(self, reading: Reading) -> str:
        self._make_ready()
        with self._failing("open"):
            status = self._calls.status(self._path)
        self._identity = (status.st_dev, status.st_ino)
        self._count = len(reading.entries)
        with self._transaction("open") as connection:
            if reading.torn:
                # Only a start clears what was never admitted; there are no torn rows.
                connection.execute("DELETE FROM entries WHERE run_id = ? AND seq >= ?", (self._run_id, self._count))
            connection.execute("INSERT OR IGNORE INTO runs (run_id) VALUES (?)", (self._run_id,))
        self._check_count()
        return ""

    def check_owner(self) -> None:
        with self._failing("look-up"):
            try:
                status = self._calls.status(self._path)
            except FileNotFoundError:
                raise self._lost() from None
        if (status.st_dev, status.st_ino) != self._identity:
            raise self._lost()
        self._check_count()

    def _check_count(self) -> None:
        with self._failing("read"):
            last = self._open().execute("SELECT MAX(seq) FROM entries WHERE run_id = ?", (self._run_id,)).fetchone()[0]
        if last != (self._count - 1 if self._count else None):
            raise self._lost()

    def _lost(self) -> OwnedElsewhere:
        return OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self.path)

    # --- writing

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        self._check_usable()
        self._waiting += lines
        if flush:
            self.check_owner()
            self.flush()

    def flush(self) -> None:
        if not self._waiting and self._head_noted:
            return
        with self._transaction("write") as connection:
            self._check_count()
            rows = [(self._run_id, self._count + place, line) for place, line in enumerate(self._waiting)]
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
            if not self._head_noted and self._head is not None:
                connection.execute(
                    "UPDATE runs SET head_seq = ?, head_h = ? WHERE run_id = ?", (*self._head, self._run_id)
                )
        self._head_noted = True
        self._count += len(self._waiting)
        self._waiting.clear()

    @property
    def flushed(self) -> int | None:
        return None

    def write_head(self, head: Head) -> None:
        """Rides on the next transaction, so it is never ahead of the entries and costs no flush."""
        self._head, self._head_noted = head, False

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        text = json.dumps(dict(meta), sort_keys=True, ensure_ascii=False)
        with self._transaction("write") as connection:
            connection.execute("UPDATE runs SET meta = ? WHERE run_id = ?", (text, self._run_id))

    def write_file(self, name: str, data: bytes) -> None:
        self._make_ready()  # the program is kept before the log is prepared
        with self._transaction("write") as connection:
            connection.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?)", (self._run_id, checked_name(name), data)
            )

    def read_file(self, name: str) -> bytes | None:
        rows = self._query("SELECT data FROM files WHERE run_id = ? AND name = ?", (self._run_id, checked_name(name)))
        return bytes(rows[0][0]) if rows else None

    def file_names(self, prefix: str = "") -> list[str]:
        rows = self._query("SELECT name FROM files WHERE run_id = ? ORDER BY name", (self._run_id,))
        return [str(row[0]) for row in rows if str(row[0]).startswith(prefix)]

    def _query(self, statement: str, arguments: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._failing("read"):
            if self._connection is not None:
                return self._connection.execute(statement, arguments).fetchall()
            if not self._folder.size(self._name):
                return []
            with closing(self._connect("ro")) as connection:
                return connection.execute(statement, arguments).fetchall()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
        self._lock.release()

    # --- connection

    def _make_ready(self) -> None:
        """Open the database for writing; it is made where there is none."""
        if self._connection is not None:
            return
        if not self._folder.has(self._name):
            self._folder.write_new(self._name, b"")
            self._folder.flush_names()
        with self._failing("open"):
            self._connection = self._connect("rw")

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ValueError("the store is not open for writing: prepare it first")
        return self._connection

    def _check_usable(self) -> None:
        if self._failed:
            raise StorageFailure.of(say.POISONED, path=self.path)

    @contextmanager
    def _transaction(self, operation: str) -> Iterator[sqlite3.Connection]:
        self._check_usable()
        connection = self._open()
        with self._failing(operation), committed(connection):
            yield connection

    @contextmanager
    def _failing(self, operation: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._failed = True
            raise storage_failure(operation, self.path, error) from error
