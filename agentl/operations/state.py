"""The state folder: one database, one owner, one generation, for all operations of a served folder (contract §7)."""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from agentl.journal.clocks import Clocks, SystemClocks, iso
from agentl.journal.errors import OwnedElsewhere, StorageFailure, UnknownFormat
from agentl.journal.stores.contract import Holder
from agentl.journal.stores.database import address_of, committed
from agentl.journal.stores.folder import Folder, check_place, storage_failure
from agentl.journal.stores.lockfile import LockFile
from agentl.journal.stores.syscalls import Syscalls
from agentl.messages import durable as say
from agentl.messages import operating
from agentl.operations.layout import DATABASE, KEY, LAYOUT, LOCK, TABLES
from agentl.operations.register import Register

KEY_BYTES = 32
_READER_S, _READER_STEP_S = 0.2, 0.01


class StateFolder:
    """Opened by `own` (one process at a time) or `read`; `close` in any case.

    StorageFailure when it cannot be used: not ours, open to others, inside the served folder, or the medium fails;
    after a failed write nothing more is taken.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        served: str | None = None,
        clocks: Clocks | None = None,
        risk: bool = False,
    ) -> None:
        self._calls = Syscalls()
        self.folder = Folder(path, self._calls)
        self.path = self.folder.path
        self.clocks = clocks or SystemClocks()
        self._served = served
        self._risk = risk
        self._lock = LockFile(self.folder, LOCK, self._calls)
        self._register = Register(self.path, 0)
        self._connection: sqlite3.Connection | None = None
        self._owned = False
        self._failed = False
        self._identity = (0, 0)
        self._busy = RLock()
        self.generation = 0
        self.noted = 0  # the register's number when the folder was opened
        self.sign: Callable[[str], str] | None = None  # a checkpoint's digest → its signature, written with it
        self.verify: Callable[[str, str | None], str] | None = None  # what is wrong with a signature, "" for nothing

    # --- opening

    def own(self) -> None:
        """Become the owner: take the lock, make what is missing, step the generation. StorageFailure."""
        check_place(self.path, at_my_risk=self._risk)
        self._check_outside()
        self.folder.create()
        self._check_private()
        if not self._acquired():
            raise self._owned_by(self._lock.holder())
        try:
            if not self.folder.has(DATABASE):
                self.folder.write_new(DATABASE, b"")
                self.folder.flush_names()
            self._connection = self._connect("rw")
            self._owned = True
            status = self._calls.status(self.folder.file(DATABASE))
            self._identity = (status.st_dev, status.st_ino)
            self._note_register()
            restored = self.is_restored
            with self.transaction():
                if restored:  # remembered here: by counting on, the database would catch up with the register
                    self.execute("INSERT OR REPLACE INTO folder VALUES ('restored', 1)")
                self.execute("INSERT INTO folder VALUES ('generation', 1) ON CONFLICT DO UPDATE SET value = value + 1")
            self.generation = self.number("generation")
            clocks = self.clocks
            self._lock.note(Holder(clocks.host, clocks.boot_id, clocks.pid, clocks.wall_ms(), self.generation))
        except BaseException:
            self.close()
            raise

    def _acquired(self) -> bool:
        """Take the lock. A reader who asks whether somebody has it holds it for an instant: that is waited for."""
        end = self.clocks.boot_s() + _READER_S
        while not self._lock.acquire():
            if self.clocks.boot_s() >= end:
                return False
            self.clocks.pause(_READER_STEP_S)
        return True

    def _owned_by(self, holder: Holder | None) -> OwnedElsewhere:
        pid, host, since = ("?", "?", "?") if holder is None else (holder.pid, holder.host, iso(holder.since))
        return OwnedElsewhere.of(operating.STATE_OWNED, path=self.path, pid=pid, host=host, since=since)

    def read(self) -> bool:
        """Open for reading only; False when nothing is there yet. Creates and changes nothing."""
        if not self.folder.size(DATABASE):
            return False
        self._check_private()
        self._connection = self._connect("ro")
        if not self.query("PRAGMA user_version")[0][0]:  # its first owner was cut short before the tables stood
            self.close()
            return False
        self._note_register()
        self.generation = self.number("generation")
        return True

    def _note_register(self) -> None:
        self._register = Register(self.path, self.number("identity"))
        self.noted = self._register.read()

    @property
    def owner(self) -> Holder | None:
        """Who owns the folder now, when another process does."""
        if self._owned:
            return None
        if not self._lock.exists():
            return None
        if self._lock.acquire():
            self._lock.release()
            return None
        return self._lock.holder()

    def _check_outside(self) -> None:
        if self._served is not None and Path(self.path).is_relative_to(Path(self._served).resolve()):
            raise storage_failure("open", self.path, "a state folder cannot lie inside the folder it serves")

    def _check_private(self) -> None:
        if os.name == "nt":
            return
        status = self._calls.status(self.path)
        if not stat.S_ISDIR(status.st_mode):
            raise storage_failure("open", self.path, "it is no folder")
        if status.st_uid != os.geteuid():
            raise storage_failure("open", self.path, "it belongs to another user")
        if status.st_mode & 0o077:
            raise storage_failure("open", self.path, "others may enter it (it must have mode 0700)")

    def _connect(self, mode: str) -> sqlite3.Connection:
        if Path(self.folder.file(DATABASE)).is_symlink():
            raise storage_failure("open", self.folder.file(DATABASE), "it is a link")
        address = address_of(self.folder.file(DATABASE), mode)
        with self._failing("open"):
            connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=30)
            try:
                layout = connection.execute("PRAGMA user_version").fetchone()[0]
                if layout not in (0, LAYOUT):
                    raise UnknownFormat.of(
                        say.UNKNOWN_FORMAT, format=f"state layout {layout}", known=f"state layout {LAYOUT}", release="?"
                    )
                if mode == "rw":
                    self._make_ready(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def _make_ready(self, connection: sqlite3.Connection) -> None:
        kept = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        connection.execute("PRAGMA synchronous=FULL")
        if kept != "wal" or connection.execute("PRAGMA synchronous").fetchone()[0] != 2:
            raise storage_failure("open", self.path, "the database cannot be made to flush every commit")
        connection.executescript(TABLES)
        connection.execute(f"PRAGMA user_version={LAYOUT}")
        connection.execute("INSERT OR IGNORE INTO folder VALUES ('identity', ?)", (secrets.randbits(62),))

    # --- reading and writing

    def query(self, statement: str, arguments: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of a reading statement; [] when the folder holds no database yet."""
        if self._connection is None:
            return []
        with self._busy, self._failing("read"):
            return self._connection.execute(statement, arguments).fetchall()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """All that is queried inside is of one moment, whatever is committed meanwhile, here or elsewhere."""
        with self._busy:
            if self._connection is None or self._connection.in_transaction:
                yield
                return
            with self._failing("read"):
                self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    def execute(self, statement: str, arguments: tuple[object, ...] = ()) -> None:
        """A writing statement, inside `transaction`."""
        assert self._connection is not None and self._connection.in_transaction
        self._connection.execute(statement, arguments)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One commit, flushed: all that is executed inside is on disk when it ends, or nothing of it is.

        StorageFailure when it fails: then nothing more is taken (decision 25). OwnedElsewhere when the database was
        taken away or replaced, or a copy of it has gone on.
        """
        if self._failed:
            raise StorageFailure.of(say.POISONED, path=self.path)
        assert self._connection is not None and self._owned
        with self._busy:
            self.check_owner()
            if not self.is_restored and self._register.read() > self.number("commits"):
                raise OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self.path)
            with self._failing("write"), committed(self._connection, self._count):
                yield
            if not self.is_restored:
                self._register.write(self.number("commits"))

    def _count(self) -> None:
        self.execute("INSERT INTO folder VALUES ('commits', 1) ON CONFLICT DO UPDATE SET value = value + 1")

    def compact(self) -> None:
        """Give the room of removed rows back to the file system, where it has the room to do so."""
        assert self._connection is not None and self._owned
        with self._busy, suppress(sqlite3.Error):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def number(self, name: str) -> int:
        """A number of the folder: `identity`, which its copies share, or a counter, `generation` or `commits`."""
        rows = self.query("SELECT value FROM folder WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else 0

    @property
    def is_restored(self) -> bool:
        """Whether the database is behind what the register had noted: it is an older copy, or another copy went on."""
        return self.noted > self.number("commits") or bool(self.number("restored"))

    def accept_restore(self) -> None:
        """Take the database as it is for the truth, from now on."""
        self.noted = 0
        with self.transaction():
            self.execute("DELETE FROM folder WHERE name = 'restored'")

    def check_owner(self) -> None:
        """OwnedElsewhere unless the database is the file that was opened."""
        try:
            status = self._calls.status(self.folder.file(DATABASE))
            if (status.st_dev, status.st_ino) == self._identity:
                return
        except OSError:
            pass
        raise OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self.path)

    def key(self) -> bytes:
        """The folder's own key, 32 bytes, made when first asked for; it never leaves the folder."""
        kept = self.folder.read(KEY)
        if kept is None:
            kept = secrets.token_bytes(KEY_BYTES)
            self.folder.write_new(KEY, kept)
            self.folder.flush_names()
        if len(kept) != KEY_BYTES:
            raise storage_failure("read", self.folder.file(KEY), "it is no key of this folder")
        return kept

    def close(self) -> None:
        """Give the folder up; may be called twice."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
        self._owned = False
        self._register.close()
        self._lock.release()

    @contextmanager
    def _failing(self, operation: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._failed = True
            raise storage_failure(operation, self.path, error) from error
