"""A disk under a knife: the system calls of a FileStore counted, cut or failing; and what a power cut leaves."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from agentl.journal.stores.syscalls import Syscalls
from agentl.testing.crash import Knife


class CuttingCalls(Syscalls):
    """System calls of which every one that changes the disk is an operation of the knife.

    An operation is named by call and file: "write wal.jsonl", "flush_directory run". A torn write writes half. `disk`
    makes the calls.
    """

    def __init__(self, knife: Knife | None = None, disk: Syscalls | None = None) -> None:
        self.knife = knife or Knife()
        self.disk = disk or Syscalls()
        self._paths: dict[int, str] = {}

    def make_directory(self, path: str) -> None:
        self.knife.operate(_named("make_directory", path), lambda: self.disk.make_directory(path))

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        if flags & (os.O_CREAT | os.O_TRUNC):
            fd = self.knife.operate(_named("open", path), lambda: self.disk.open(path, flags, mode))
        else:
            fd = self.disk.open(path, flags, mode)
        self._paths[fd] = path
        return fd

    def write(self, fd: int, data: bytes) -> int:
        half = data[: len(data) // 2]
        name = _named("write", self._paths[fd])
        return self.knife.operate(name, lambda: self.disk.write(fd, data), lambda: self.disk.write(fd, half))

    def overwrite(self, fd: int, data: bytes) -> int:
        half = data[: len(data) // 2]
        name = _named("overwrite", self._paths[fd])
        return self.knife.operate(name, lambda: self.disk.overwrite(fd, data), lambda: self.disk.overwrite(fd, half))

    def flush(self, fd: int) -> None:
        self.knife.operate(_named("flush", self._paths[fd]), lambda: self.disk.flush(fd))

    def flush_directory(self, path: str) -> None:
        self.knife.operate(_named("flush_directory", path), lambda: self.disk.flush_directory(path))

    def replace(self, source: str, target: str) -> None:
        self.knife.operate(_named("replace", target), lambda: self.disk.replace(source, target))

    def truncate(self, fd: int, size: int) -> None:
        self.knife.operate(_named("truncate", self._paths[fd]), lambda: self.disk.truncate(fd, size))


class ForgetfulDisk(Syscalls):
    """A disk that remembers what is only in memory, so that `lose()` can leave what a power cut would.

    The pessimist's: bytes appended and not flushed are gone, a name whose directory was not flushed is gone, or is the
    file it was before. What was overwritten in place counts as written.
    """

    def __init__(self) -> None:
        self._paths: dict[int, str] = {}
        self._lengths: dict[str, int] = {}  # flushed length, by path
        self._names: list[tuple[str, Callable[[], object]]] = []  # directory, and how to undo a name in it

    def make_directory(self, path: str) -> None:
        super().make_directory(path)
        self._names.append((str(Path(path).parent), Path(path).rmdir))

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        is_new = not Path(path).exists()
        fd = super().open(path, flags, mode)
        self._paths[fd] = path
        if is_new:
            self._names.append((str(Path(path).parent), Path(path).unlink))
        if is_new or flags & os.O_TRUNC:
            self._lengths[path] = 0
        self._lengths.setdefault(path, self.status_of(fd).st_size)
        return fd

    def flush(self, fd: int) -> None:
        super().flush(fd)
        self._lengths[self._paths[fd]] = self.status_of(fd).st_size

    def flush_directory(self, path: str) -> None:
        super().flush_directory(path)
        self._names = [(directory, undo) for directory, undo in self._names if directory != path]

    def replace(self, source: str, target: str) -> None:
        old = Path(target).read_bytes() if Path(target).exists() else None
        super().replace(source, target)
        self._lengths[target] = self._lengths.pop(source, 0)
        self._names.append((str(Path(target).parent), lambda: _restore(Path(source), Path(target), old)))

    def lose(self) -> None:
        """Leave the disk as after a power cut. To be called once the process is gone."""
        for path, length in self._lengths.items():
            if Path(path).exists() and Path(path).stat().st_size > length:
                os.truncate(path, length)
        for _, undo in reversed(self._names):
            undo()


def _restore(source: Path, target: Path, old: bytes | None) -> None:
    target.replace(source)
    if old is not None:
        target.write_bytes(old)


def _named(call: str, path: str) -> str:
    return f"{call} {Path(path).name}"
