"""A run folder: files that are complete or absent after a power cut, never written through a link (decision 20)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentl.journal.errors import StorageFailure, UnsafeFileSystem
from agentl.journal.stores.filesystem import unsafe_kind
from agentl.journal.stores.syscalls import Syscalls
from agentl.messages import durable as say


def storage_failure(operation: str, path: str, error: Exception | str) -> StorageFailure:
    """Name what failed, where, and the system's number for it."""
    text = f"{error.strerror or type(error).__name__} (errno {error.errno})" if isinstance(error, OSError) else error
    return StorageFailure.of(say.STORAGE_FAILED, operation=operation, path=path, error=text)


@contextmanager
def failing_as_storage(operation: str, path: str) -> Iterator[None]:
    """Turn an OSError inside into StorageFailure."""
    try:
        yield
    except OSError as error:
        raise storage_failure(operation, path, error) from error


def check_place(path: str, *, at_my_risk: bool) -> None:
    """UnsafeFileSystem when a path is on a file system that cannot promise one owner and a flush."""
    kind = "" if at_my_risk else unsafe_kind(path)
    if kind:
        raise UnsafeFileSystem.of(say.UNSAFE_FILE_SYSTEM, path=path, kind=kind)


class Folder:
    """A directory and the files in it. `path` is resolved once, so that a link moved later moves nothing."""

    def __init__(self, directory: str | os.PathLike[str], syscalls: Syscalls) -> None:
        self.path = os.path.realpath(directory)
        self._calls = syscalls

    def file(self, name: str) -> str:
        """The full path of a file."""
        return str(Path(self.path, *name.split("/")))

    def exists(self) -> bool:
        with failing_as_storage("look-up", self.path):
            return self._status(self.path) is not None

    def size(self, name: str) -> int:
        """The length of a file in bytes; 0 when it is not there."""
        path = self.file(name)
        with failing_as_storage("look-up", path):
            status = self._status(path)
        return 0 if status is None else status.st_size

    def has(self, name: str) -> bool:
        """True when a file (or anything else) has this name."""
        with failing_as_storage("look-up", self.file(name)):
            return self._status(self.file(name)) is not None

    def create(self, path: str = "") -> None:
        """Create the directory and what is missing above it; each new name is on disk before the next is made."""
        path = path or self.path
        with failing_as_storage("create", path):
            if self._status(path) is not None:
                return
            parent = str(Path(path).parent)
            self.create(parent)
            try:
                self._calls.make_directory(path)
            except FileExistsError:
                return
            self._calls.flush_directory(parent)

    def open_plain(self, name: str, flags: int) -> int:
        """Open a regular file, never a link. FileNotFoundError when it is not there and not to be created."""
        path = self.file(name)
        before = self._status(path)
        if before is not None and not stat.S_ISREG(before.st_mode):
            # Not opened at all: opening a pipe waits for its other end.
            raise StorageFailure.of(say.NOT_A_PLAIN_FILE, path=path)
        try:
            fd = self._calls.open(path, flags)
        except FileNotFoundError:
            raise
        except OSError as error:
            status = self._status(path)
            if status is not None and not stat.S_ISREG(status.st_mode):
                raise StorageFailure.of(say.NOT_A_PLAIN_FILE, path=path) from error
            raise storage_failure("open", path, error) from error
        if not stat.S_ISREG(self._calls.status_of(fd).st_mode):
            self._calls.close(fd)
            raise StorageFailure.of(say.NOT_A_PLAIN_FILE, path=path)
        return fd

    def read(self, name: str) -> bytes | None:
        """Read a file, past the page cache where the system allows; None when it is not there."""
        try:
            fd = self.open_plain(name, os.O_RDONLY)
        except FileNotFoundError:
            return None
        try:
            with failing_as_storage("read", self.file(name)):
                return self._calls.read_all(fd, self._calls.status_of(fd).st_size)
        finally:
            self._calls.close(fd)

    def write_atomic(self, name: str, data: bytes) -> None:
        """Replace a file: the old or the new bytes are there after a power cut, never a part, never nothing."""
        path = self.file(name)
        directory = str(Path(path).parent)
        self.create(directory)
        temporary = f"{path}.tmp"
        with failing_as_storage("write", path):
            self.write_new(f"{name}.tmp", data, replacing=True)
            self._calls.replace(temporary, path)
            self._calls.flush_directory(directory)

    def write_new(self, name: str, data: bytes, *, replacing: bool = False) -> None:
        """Write a file that must not exist yet (or may, with `replacing`), and put it on disk. Not its name."""
        fd = self.open_plain(name, os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if replacing else os.O_EXCL))
        try:
            with failing_as_storage("write", self.file(name)):
                if self._calls.write(fd, data) != len(data):
                    raise storage_failure("write", self.file(name), "short write")
                self._calls.flush(fd)
        finally:
            self._calls.close(fd)

    def flush_names(self) -> None:
        """Put the names in the directory on disk."""
        with failing_as_storage("flush", self.path):
            self._calls.flush_directory(self.path)

    def names(self, subfolder: str = "") -> list[str]:
        """The files below the directory, as relative names with `/`."""
        found: list[str] = []
        directory = self.file(subfolder) if subfolder else self.path
        with failing_as_storage("list", directory):
            for name in self._calls.names(directory) if self._status(directory) is not None else ():
                relative = f"{subfolder}/{name}" if subfolder else name
                status = self._status(self.file(relative))
                if status is not None and stat.S_ISDIR(status.st_mode):
                    found += self.names(relative)
                elif status is not None:
                    found.append(relative)
        return found

    def _status(self, path: str) -> os.stat_result | None:
        try:
            return self._calls.status(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
