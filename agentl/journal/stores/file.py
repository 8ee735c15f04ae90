"""FileStore: a run folder on a local disk: `wal.jsonl`, `head.json`, `meta.json`, `owner.lock` (decisions 20 to 24)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentl.journal.errors import OwnedElsewhere, StorageFailure
from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder, StoredRun
from agentl.journal.stores.folder import Folder, check_place, failing_as_storage, storage_failure
from agentl.journal.stores.lockfile import LockFile
from agentl.journal.stores.names import checked_name
from agentl.journal.stores.notes import head_bytes, parse_head, parse_meta
from agentl.journal.stores.syscalls import Syscalls
from agentl.messages import durable as say

LOG, HEAD, META, LOCK = "wal.jsonl", "head.json", "meta.json", "owner.lock"
_OWN = frozenset({LOG, HEAD, META, LOCK})


class FileStore:
    """Keeps one run in one directory.

    `at_my_risk` accepts a network file system, on which neither one owner nor a flush can be promised.
    `syscalls` are the system calls it makes.
    """

    def __init__(
        self, directory: str | os.PathLike[str], *, at_my_risk: bool = False, syscalls: Syscalls | None = None
    ) -> None:
        self._calls = syscalls or Syscalls()
        self._folder = Folder(directory, self._calls)
        self._at_my_risk = at_my_risk
        self._shown = str(Path(directory, LOG))
        self._log_path = self._folder.file(LOG)
        self._lock = LockFile(self._folder, LOCK, self._calls)
        self._log = self._head = -1
        self._identity = (0, 0)
        self._end = 0
        self._flushed = 0
        self._failed = False

    @property
    def directory(self) -> str:
        """The resolved path of the run folder."""
        return self._folder.path

    @property
    def path(self) -> str:
        return self._shown

    # --- reading

    def load(self) -> StoredRun:
        if not self._folder.exists():
            return StoredRun(exists=False)
        # The head first: it follows the log, so a log read after it holds what it names while a process appends.
        head = self._folder.read(HEAD)
        data = self._folder.read(LOG)
        meta = self._folder.read(META)
        exists = any(part is not None for part in (data, head, meta)) or self._lock.exists()
        return StoredRun(exists, data or b"", parse_head(head), parse_meta(meta))

    def holder(self) -> Holder | None:
        return self._lock.holder()

    # --- ownership

    def lock(self) -> bool:
        check_place(self._folder.path, at_my_risk=self._at_my_risk)
        self._folder.create()
        return self._lock.acquire()

    def note_holder(self, holder: Holder | None) -> None:
        self._lock.note(holder)

    def prepare(self, reading: Reading) -> str:
        fd = self._folder.open_plain(LOG, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        with failing_as_storage("open", self._log_path):
            status = self._calls.status_of(fd)
        self._log, self._identity, self._end = fd, (status.st_dev, status.st_ino), status.st_size
        if status.st_size != reading.end + reading.torn:
            raise OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self._shown)
        name = self._set_aside(reading) if reading.torn else ""
        if reading.unfinished:
            self._append(b"\n")
        self.flush()
        self._folder.flush_names()
        return name

    def _set_aside(self, reading: Reading) -> str:
        known = {name for name in self._folder.names() if name.startswith("wal.torn-")}
        name = next(name for n in range(1, len(known) + 2) if (name := f"wal.torn-{n}") not in known)
        data = self._folder.read(LOG) or b""
        self._folder.write_new(name, data[reading.end :])
        self._folder.flush_names()
        with failing_as_storage("cut", self._log_path):
            self._calls.truncate(self._log, reading.end)
        self._end = reading.end
        return name

    def check_owner(self) -> None:
        try:
            status = self._calls.status(self._log_path)
        except FileNotFoundError:
            raise OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self._shown) from None
        except OSError as error:
            raise self._fail("look-up", error) from error
        if (status.st_dev, status.st_ino) != self._identity or status.st_size != self._end:
            raise OwnedElsewhere.of(say.OWNERSHIP_LOST, path=self._shown)

    # --- writing

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        self.check_owner()
        self._append(b"".join(lines))
        if flush:
            self.flush()

    def _append(self, data: bytes) -> None:
        self._check_usable()
        try:
            written = self._calls.write(self._log, data)
        except OSError as error:
            raise self._fail("write", error) from error
        if written != len(data):
            raise self._fail("write", f"short write, {written} of {len(data)} bytes")
        self._end += written

    def flush(self) -> None:
        self._check_usable()
        try:
            self._calls.flush(self._log)
        except OSError as error:
            # Never tried again: a second flush may succeed although the bytes are gone (case P-C3).
            raise self._fail("flush", error) from error
        self._flushed = self._end

    @property
    def flushed(self) -> int | None:
        return self._flushed

    def _check_usable(self) -> None:
        if self._failed:
            raise StorageFailure.of(say.POISONED, path=self._shown)

    def _fail(self, operation: str, error: OSError | str, name: str = "") -> StorageFailure:
        self._failed = True
        return storage_failure(operation, self._folder.file(name) if name else self._shown, error)

    def write_head(self, head: Head) -> None:
        if self._head < 0:
            # The first time its name must be on disk; afterwards it follows the log without a flush of its own.
            self._folder.write_atomic(HEAD, head_bytes(head))
            self._head = self._folder.open_plain(HEAD, os.O_RDWR)
            return
        data = head_bytes(head)
        try:
            written = self._calls.overwrite(self._head, data)
        except OSError as error:
            raise self._fail("write", error, HEAD) from error
        if written != len(data):
            raise self._fail("write", "short write", HEAD)

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        text = json.dumps(dict(meta), indent=2, sort_keys=True, ensure_ascii=False)
        self._folder.write_atomic(META, text.encode("utf-8") + b"\n")

    def write_file(self, name: str, data: bytes) -> None:
        self._folder.write_atomic(checked_name(name), data)

    def read_file(self, name: str) -> bytes | None:
        return self._folder.read(checked_name(name))

    def file_names(self, prefix: str = "") -> list[str]:
        return [
            name
            for name in self._folder.names()
            if name.startswith(prefix) and name not in _OWN and not name.endswith(".tmp")
        ]

    def close(self) -> None:
        for fd in (self._log, self._head):
            if fd >= 0:
                self._calls.close(fd)
        self._log = self._head = -1
        self._lock.release()
