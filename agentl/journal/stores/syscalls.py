"""The system calls a store makes, in one object: what reaches the disk, and in which order, is seen in one place."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)

_held_locks: set[int] = set()


def _drop_inherited_locks() -> None:
    # A forked child shares the lock; were it to outlive its parent, nobody could take the run over. The number of the
    # file stays taken, so that a close by its former holder hits nothing else.
    if not _held_locks:
        return
    nothing = os.open(os.devnull, os.O_RDWR | _CLOEXEC)
    for fd in _held_locks:
        os.dup2(nothing, fd, inheritable=False)
    os.close(nothing)
    _held_locks.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_inherited_locks)


class Syscalls:
    """Thin names for system calls. Every method may raise OSError."""

    def make_directory(self, path: str) -> None:
        """Create a directory only its owner may enter."""
        Path(path).mkdir(0o700)

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        """Open without following a link."""
        return os.open(path, flags | _NOFOLLOW | _CLOEXEC | _BINARY, mode)

    def write(self, fd: int, data: bytes) -> int:
        return os.write(fd, data)

    def overwrite(self, fd: int, data: bytes) -> int:
        """Write at the beginning of a file."""
        if hasattr(os, "pwrite"):
            return os.pwrite(fd, data, 0)
        os.lseek(fd, 0, os.SEEK_SET)
        return os.write(fd, data)

    def flush(self, fd: int) -> None:
        """Put a file's bytes and its length on the disk, past the drive's own cache where that takes a special call."""
        if sys.platform == "darwin":
            import fcntl

            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        elif hasattr(os, "fdatasync"):
            os.fdatasync(fd)
        else:
            os.fsync(fd)

    def flush_directory(self, path: str) -> None:
        """Put the names in a directory on the disk."""
        if os.name == "nt":
            return
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def replace(self, source: str, target: str) -> None:
        Path(source).replace(target)

    def truncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def read_all(self, fd: int, size: int) -> bytes:
        """Read a file from its beginning, from the disk rather than from memory where the system allows."""
        self.forget(fd)
        os.lseek(fd, 0, os.SEEK_SET)
        parts = []
        while part := os.read(fd, max(size, 65536)):
            parts.append(part)
        return b"".join(parts)

    def forget(self, fd: int) -> None:
        """Drop what is kept of a file in memory, where the system allows."""
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)

    def status(self, path: str) -> os.stat_result:
        """The status of a path itself, not of what it may link to."""
        return os.lstat(path)

    def status_of(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def names(self, path: str) -> list[str]:
        return sorted(found.name for found in Path(path).iterdir())

    def close(self, fd: int) -> None:
        _held_locks.discard(fd)
        os.close(fd)

    def lock(self, fd: int) -> bool:
        """Take an exclusive lock on an open file without waiting; False when another process has it."""
        try:
            _lock_exclusive(fd)
        except (BlockingIOError, PermissionError):
            return False
        _held_locks.add(fd)
        return True


def _lock_exclusive(fd: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        locking: Any = msvcrt
        # One byte far behind the text, so that the holder's note stays readable to others.
        os.lseek(fd, 1 << 30, os.SEEK_SET)
        locking.locking(fd, locking.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
