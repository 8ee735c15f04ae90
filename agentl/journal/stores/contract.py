"""What a store does. Everything a journal knows of disks and databases is behind this protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agentl.journal.reading import Head, Reading


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What a store holds of a run. Nothing in it has been verified.

    `exists`: some trace of the run is there. `meta`: the copy for people, None when absent or unreadable.
    `tearable` is False where writes are transactions, so that bad bytes can only be damage.
    """

    exists: bool
    data: bytes = b""
    head: Head | None = None
    meta: dict[str, Any] | None = None
    tearable: bool = True


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock, for people. `since` is UTC in milliseconds; `released` once it was given up in order."""

    host: str
    boot_id: str
    pid: int
    since: int
    generation: int = 0
    released: bool = False


class Store(Protocol):
    """Keeps one run. Readers only `load`; the owner locks, prepares, appends and closes.

    Failures of the medium are StorageFailure; a journal that changed under its owner is OwnedElsewhere.
    """

    @property
    def path(self) -> str:
        """Where the log is, for people."""

    def load(self) -> StoredRun:
        """Read what is there, past the page cache where the system allows. Creates and changes nothing."""

    def lock(self) -> bool:
        """Take the exclusive lock without waiting; False when another process has it. Creates what the lock needs."""

    def holder(self) -> Holder | None:
        """Who noted themselves as holder of the lock last."""

    def note_holder(self, holder: Holder | None) -> None:
        """Note who holds the lock; None takes the note away. Only with the lock."""

    def prepare(self, reading: Reading) -> str:
        """Make the log ready to be appended to behind `reading`: a torn tail is set aside and cut (its name is
        returned, "" when there was none), a missing newline completed. Only with the lock."""

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        """Append lines as one write; with `flush` they are on disk when it returns. Checks the owner first."""

    def flush(self) -> None:
        """Put on disk all that was appended."""

    @property
    def flushed(self) -> int | None:
        """The offset up to which the log is on disk; None where offsets have no meaning."""

    def check_owner(self) -> None:
        """OwnedElsewhere unless the log is the one that was opened and ends where it was last written."""

    def write_head(self, head: Head) -> None:
        """Note the last flushed entry apart from the log; never before it is flushed."""

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        """Replace the copy for people, atomically."""

    def write_file(self, name: str, data: bytes) -> None:
        """Keep a file of the run (`program/…`, `secret.key`), atomically. ValueError for a name outside the run."""

    def read_file(self, name: str) -> bytes | None:
        """Read a file of the run; None when there is none."""

    def file_names(self, prefix: str = "") -> list[str]:
        """The files of the run whose names begin so, sorted."""

    def close(self) -> None:
        """Give up lock and handles. Flushes nothing; may be called twice."""
