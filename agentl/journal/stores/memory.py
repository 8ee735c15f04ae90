"""MemoryStore: a run kept in memory, for tests and crash simulation (durable.md §10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder, StoredRun
from agentl.journal.stores.names import checked_name


class MemoryStore:
    """Holds the same bytes a file would hold. `crashed()` gives what another process would find after a crash."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.meta: dict[str, Any] | None = None
        self.head: Head | None = None
        self.files: dict[str, bytes] = {}
        self._flushed = 0
        self._locked = False
        self._holder: Holder | None = None

    def crashed(self, *, lost: bool = False) -> MemoryStore:
        """A copy as after a crash of the process, or with `lost` after a power cut that takes all unflushed bytes."""
        copy = MemoryStore()
        copy.data = bytearray(self.data[: self._flushed] if lost else self.data)
        # What one process has flushed stays on the disk of the next.
        copy._flushed = min(self._flushed, len(copy.data))
        copy.meta, copy.head, copy.files = self.meta, self.head, dict(self.files)
        copy._holder = self._holder
        return copy

    @property
    def path(self) -> str:
        return "<memory>"

    def load(self) -> StoredRun:
        exists = bool(self.data) or self.head is not None or self.meta is not None
        return StoredRun(exists, bytes(self.data), self.head, self.meta)

    def lock(self) -> bool:
        if self._locked:
            return False
        self._locked = True
        return True

    def holder(self) -> Holder | None:
        return self._holder

    def note_holder(self, holder: Holder | None) -> None:
        self._holder = holder

    def prepare(self, reading: Reading) -> str:
        name = ""
        if reading.torn:
            name = f"wal.torn-{sum(1 for known in self.files if known.startswith('wal.torn-')) + 1}"
            self.files[name] = bytes(self.data[reading.end :])
            del self.data[reading.end :]
        if reading.unfinished:
            self.data += b"\n"
        self.flush()
        return name

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        self.data += b"".join(lines)
        if flush:
            self.flush()

    def flush(self) -> None:
        self._flushed = len(self.data)

    @property
    def flushed(self) -> int | None:
        return self._flushed

    def check_owner(self) -> None:
        """Nobody else can reach the bytes of this process."""

    def write_head(self, head: Head) -> None:
        self.head = head

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        self.meta = dict(meta)

    def write_file(self, name: str, data: bytes) -> None:
        self.files[checked_name(name)] = data

    def read_file(self, name: str) -> bytes | None:
        return self.files.get(checked_name(name))

    def file_names(self, prefix: str = "") -> list[str]:
        return sorted(name for name in self.files if name.startswith(prefix))

    def close(self) -> None:
        self._locked = False
