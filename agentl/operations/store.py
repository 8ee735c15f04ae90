"""RunStore: the journal of one operation in the state folder; a step of the operation is one transaction (contract §3).

What is appended gathers until `commit`: the entries, the checkpoint they lead to and the rows the step needs are
written together, or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from agentl.journal.errors import OwnedElsewhere
from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder, StoredRun
from agentl.journal.stores.names import checked_name
from agentl.messages import durable as say
from agentl.operations.following import Follower
from agentl.operations.state import StateFolder

Row = tuple[str, tuple[object, ...]]


class RunStore:
    """`follower` makes the columns of the operation's row from the entries about to be committed, inside the
    transaction. With `gathers` set a flush waits for `commit`; without it every flush is one."""

    def __init__(
        self,
        state: StateFolder,
        operation_id: str,
        run_id: str,
        follower: Follower | None = None,
    ) -> None:
        self.state = state
        self.operation_id = operation_id
        self.run_id = run_id
        self.gathers = False
        self.follower = follower
        self._waiting: list[bytes] = []
        self._rows: list[Row] = []
        self._files: list[tuple[str, bytes]] = []
        self._count = 0
        self._head: Head | None = None

    @property
    def path(self) -> str:
        return f"{self.state.path}#{self.operation_id}"

    # --- reading

    def load(self) -> StoredRun:
        bodies = self.state.query(
            "SELECT CAST(body AS BLOB) FROM entries WHERE run_id = ? ORDER BY seq", (self.run_id,)
        )
        data = b"".join(bytes(row[0]) for row in bodies)
        rows = self.state.query("SELECT head_seq, head_h FROM operations WHERE run_id = ?", (self.run_id,))
        head = Head(int(rows[0][0]), str(rows[0][1])) if rows and rows[0][0] is not None else None
        return StoredRun(bool(data) or bool(rows), data, head, None, tearable=False)

    def read_file(self, name: str) -> bytes | None:
        rows = self.state.query(
            "SELECT CAST(data AS BLOB), digest FROM files JOIN artifacts USING (digest) WHERE run_id = ? AND name = ?",
            (self.run_id, checked_name(name)),
        )
        if not rows:
            return None
        data = bytes(rows[0][0])
        if hashlib.sha256(data).hexdigest() != rows[0][1]:
            raise ValueError(f"{name} is not what its digest says")
        return data

    def file_names(self, prefix: str = "") -> list[str]:
        rows = self.state.query("SELECT name FROM files WHERE run_id = ? ORDER BY name", (self.run_id,))
        return [str(row[0]) for row in rows if str(row[0]).startswith(prefix)]

    # --- ownership: the folder's, not the run's (contract §5, row 10)

    def lock(self) -> bool:
        return True

    def holder(self) -> Holder | None:
        return None

    def note_holder(self, holder: Holder | None) -> None:
        """The folder notes its owner."""

    def prepare(self, reading: Reading) -> str:
        self._count = len(reading.entries)
        return ""

    def check_owner(self) -> None:
        self.state.check_owner()

    # --- writing

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        self._waiting += lines
        if flush:
            self.flush()

    def flush(self) -> None:
        if not self.gathers:
            self.commit()

    @property
    def flushed(self) -> int | None:
        return None

    @property
    def is_committed(self) -> bool:
        """Whether nothing waits: a launch is allowed only then."""
        return not self._waiting and not self._rows

    def also(self, statement: str, *arguments: object) -> None:
        """A row of the state folder that is written with the next commit."""
        self._rows.append((statement, arguments))

    def commit(self) -> None:
        """Write what has gathered, as one transaction. StorageFailure, OwnedElsewhere."""
        if self.is_committed and not self._files:
            return
        with self.state.transaction():
            self._check_count()
            for place, line in enumerate(self._waiting):
                self.state.execute("INSERT INTO entries VALUES (?, ?, ?)", (self.run_id, self._count + place, line))
            for name, data in self._files:
                digest = hashlib.sha256(data).hexdigest()
                self.state.execute("INSERT OR IGNORE INTO artifacts VALUES (?, ?)", (digest, data))
                self.state.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", (self.run_id, name, digest))
            for statement, arguments in self._rows:
                self.state.execute(statement, arguments)
            if self.follower is not None and self._waiting:
                added = [json.loads(line) for line in self._waiting]
                self._update(self.follower.taken(self.state, self.operation_id, added))
        self._count += len(self._waiting)
        self._waiting.clear()
        self._rows.clear()
        self._files.clear()
        if self.follower is not None:
            self.follower.committed()

    def _update(self, columns: Mapping[str, object]) -> None:
        head: dict[str, object] = {} if self._head is None else {"head_seq": self._head.seq, "head_h": self._head.h}
        changed = {**columns, **head}
        names = ", ".join(f"{name} = ?" for name in changed)
        self.state.execute(
            f"UPDATE operations SET {names} WHERE operation_id = ?", (*changed.values(), self.operation_id)
        )

    def _check_count(self) -> None:
        last = self.state.query("SELECT MAX(seq) FROM entries WHERE run_id = ?", (self.run_id,))[0][0]
        if last != (self._count - 1 if self._count else None):
            raise OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self.path)

    def write_head(self, head: Head) -> None:
        """Rides on the next commit, so it is never ahead of the entries."""
        self._head = head

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        """An operation keeps no copy for people: its projection is one."""

    def write_file(self, name: str, data: bytes) -> None:
        self._files.append((checked_name(name), data))

    def close(self) -> None:
        """The folder stays open; what was not committed is dropped."""
        self._waiting.clear()
        self._rows.clear()
        self._files.clear()
