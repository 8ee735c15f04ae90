"""Whether anything of an earlier attempt still lives (contract §7, "Is an earlier attempt still alive?").

First witness: a lock on a file of the attempt, held by a descriptor that the handler inherits; whoever can take it
knows that nothing holds it any more. Second witness: number and start time of the handler's process and the boot it ran
in, which the launcher notes in that file before the handler's program runs. Not seen by the first: a process that
closes the descriptors it inherits; by the second: one that is not the handler's own.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from agentl.journal.clocks import Clocks, SystemClocks
from agentl.operations import processes
from agentl.operations.processes import Process

WAIT_S = 2.0
_STEP_S = 0.02
_ASKING_S = 0.2


class Attempt:
    """An attempt under way: `descriptor` is to be inherited by its handler."""

    def __init__(self, file: Path, descriptor: int, attempts: Attempts) -> None:
        self.descriptor = descriptor
        self._file = file
        self._attempts = attempts

    def close(self) -> None:
        """Let go of it; the file goes too, unless something of the attempt lives on."""
        os.close(self.descriptor)
        self._attempts.forget(self._file)


class Attempts:
    """The folder of the lock files, `state/attempts`; a file is named by the SHA-256 of its call_id."""

    def __init__(self, folder: Path, clocks: Clocks | None = None) -> None:
        self._folder = folder
        self._clocks = clocks or SystemClocks()

    def open(self, call_id: str) -> Attempt:
        """Lock the file of a new attempt. BlockingIOError when an attempt of that call_id lives, OSError otherwise."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._file(call_id)
        end = time.monotonic() + _ASKING_S
        while True:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(descriptor, file):
                    return Attempt(file, descriptor, self)
                os.close(descriptor)  # removed between the two: what we locked is no longer the attempt's file
            except BlockingIOError:
                os.close(descriptor)
                if time.monotonic() >= end:
                    raise
                time.sleep(_STEP_S)  # perhaps somebody has only asked whether it lives

    def in_flight(self, call_id: str) -> bool:
        """Whether something of an attempt lives, in this process or any other."""
        return self._lives(self._file(call_id))

    def clear(self, call_id: str, wait_s: float = WAIT_S) -> bool:
        """Kill what is left of an attempt and wait; False when something of it lives on.

        Killed is only what is proved to be of the attempt: a process with the noted number *and* start time and what is
        below it, and a process that shares the very descriptor which holds the lock.
        """
        file = self._file(call_id)
        end = time.monotonic() + wait_s
        while self._lives(file):
            if time.monotonic() >= end:
                return False
            for each in self._leftovers(file):
                processes.end(each)
            time.sleep(_STEP_S)
        self.forget(file)
        return True

    def sweep(self) -> None:
        """Remove the files of attempts of which nothing lives; to be called by the owner of the state folder."""
        with suppress(OSError):
            for file in list(self._folder.iterdir()):
                self.forget(file)

    def forget(self, file: Path) -> None:
        """Remove a file unless something of its attempt lives."""
        with suppress(OSError):
            if not self._lives(file):
                file.unlink()

    def _lives(self, file: Path) -> bool:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(
                descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB
            )  # shared: two that ask at once are not in each other's way
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return self._noted(file) is not None

    def _noted(self, file: Path) -> Process | None:
        """The handler's own process, if it lives: another start time, or another boot, is another process."""
        try:
            note = json.loads(file.read_text(encoding="utf-8"))
            known = processes.process(note["pid"])
            same = known is not None and note["start"] == known.start and note["boot_id"] == self._clocks.boot_id
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return known if same and known is not None and known.is_alive else None

    def _leftovers(self, file: Path) -> Iterator[int]:
        handler = self._noted(file)
        if handler is not None:
            yield from (each.pid for each in processes.descendants(handler.pid))
            yield handler.pid
        with suppress(OSError):
            yield from processes.holders_of_lock(file.stat())

    def _file(self, call_id: str) -> Path:
        return self._folder / hashlib.sha256(call_id.encode()).hexdigest()


def _is_at(descriptor: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), file.stat(follow_symlinks=False))
    except OSError:
        return False
