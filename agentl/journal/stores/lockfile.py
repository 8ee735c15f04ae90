"""The lock file of a run: an exclusive lock of the system, and a note for people inside. Never deleted (case P-D3)."""

from __future__ import annotations

import os

from agentl.journal.stores.contract import Holder
from agentl.journal.stores.folder import Folder, failing_as_storage, storage_failure
from agentl.journal.stores.notes import holder_bytes, parse_holder
from agentl.journal.stores.syscalls import Syscalls


class LockFile:
    """Were the file removed on release, one process could lock the old file and another a new one of the same name."""

    def __init__(self, folder: Folder, name: str, syscalls: Syscalls) -> None:
        self._folder = folder
        self._name = name
        self._calls = syscalls
        self._fd = -1

    def acquire(self) -> bool:
        """Take the lock without waiting; False when another process has it."""
        fd = self._folder.open_plain(self._name, os.O_RDWR | os.O_CREAT)
        try:
            with failing_as_storage("lock", self._folder.file(self._name)):
                taken = self._calls.lock(fd)
        except BaseException:
            self._calls.close(fd)
            raise
        if not taken:
            self._calls.close(fd)
            return False
        self._fd = fd
        return True

    def exists(self) -> bool:
        return self._folder.has(self._name)

    def holder(self) -> Holder | None:
        """Who noted themselves last."""
        return parse_holder(self._folder.read(self._name))

    def note(self, holder: Holder | None) -> None:
        """Note who holds the lock, or nobody. StorageFailure when it cannot be written."""
        path = self._folder.file(self._name)
        if holder is None:
            with failing_as_storage("cut", path):
                self._calls.truncate(self._fd, 0)
            return
        data = holder_bytes(holder)
        with failing_as_storage("write", path):
            if self._calls.overwrite(self._fd, data) != len(data):
                raise storage_failure("write", path, "short write")

    def release(self) -> None:
        if self._fd >= 0:
            self._calls.close(self._fd)
        self._fd = -1
