"""NullStore: keeps nothing. A plain run is a durable run on it (design: one road)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder, StoredRun


class NullStore:
    """Always empty, always free, never fails."""

    @property
    def path(self) -> str:
        return ""

    def load(self) -> StoredRun:
        return StoredRun(exists=False)

    def lock(self) -> bool:
        return True

    def holder(self) -> Holder | None:
        return None

    def note_holder(self, holder: Holder | None) -> None:
        """Nobody can ask for it."""

    def prepare(self, reading: Reading) -> str:
        return ""

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        """Forgets the lines."""

    def flush(self) -> None:
        """There is nothing to flush."""

    @property
    def flushed(self) -> int | None:
        return None

    def check_owner(self) -> None:
        """There is nothing to own."""

    def write_head(self, head: Head) -> None:
        """Forgets the head."""

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        """Forgets the meta."""

    def write_file(self, name: str, data: bytes) -> None:
        """Forgets the file."""

    def read_file(self, name: str) -> bytes | None:
        return None

    def file_names(self, prefix: str = "") -> list[str]:
        return []

    def close(self) -> None:
        """There is nothing to close."""
