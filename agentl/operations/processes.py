"""What the system tells about processes, from /proc; where there is none, nothing is known and nothing is found."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_LISTS_CHILDREN = (_PROC / "thread-self" / "children").exists()  # not in every kernel


KNOWN = (_PROC / "self" / "stat").exists()


class Process(NamedTuple):
    """A process as it stands in /proc/PID/stat. `start`: clock ticks after the boot, which tells apart two processes
    that have had the same number."""

    pid: int
    state: str
    parent: int
    group: int
    session: int
    start: int

    @property
    def is_alive(self) -> bool:
        """A zombie has ended: it only waits to be counted."""
        return self.state not in "ZX"


def process(pid: int) -> Process | None:
    """Return what is known of a process; None when there is no such process, or no /proc."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat[stat.rindex(")") + 2 :].split()  # the name in front of it may hold anything, spaces and `)` too
    state, parent, group, session = fields[:4]
    return Process(pid, state, int(parent), int(group), int(session), int(fields[19]))


def descendants(pid: int) -> list[Process]:
    """Return all living processes below `pid`, nearest first; of a process that ended, none: others inherit them."""
    found: list[Process] = []
    waiting = [pid]
    while waiting:
        for child in _children(waiting.pop(0)):
            known = process(child)
            if known is not None:
                waiting.append(child)
                if known.is_alive:
                    found.append(known)
    return found


def end(pid: int, group: int | None = None, by: signal.Signals = signal.SIGKILL) -> None:
    """Kill a process, or its whole group as well; one that is gone, or is not ours to kill, is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, by)
    if group is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, by)


def holders_of_lock(file: os.stat_result) -> list[int]:
    """Return the other processes that share a descriptor which holds a lock on this file.

    One that merely reads the file is not among them: the system tells a lock with the descriptor that holds it.
    """
    return [pid for pid in _everyone() if pid != os.getpid() and _holds_lock(_PROC / str(pid), file)]


def _holds_lock(of: Path, file: os.stat_result) -> bool:
    with suppress(OSError):  # another user's, or it has ended meanwhile
        for link in (of / "fd").iterdir():
            with suppress(OSError):
                is_the_file = os.path.samestat(link.stat(), file)
                if is_the_file and "FLOCK" in (of / "fdinfo" / link.name).read_text(encoding="ascii"):
                    return True
    return False


def _children(pid: int) -> list[int]:
    if not _LISTS_CHILDREN:
        return [each for each in _everyone() if (known := process(each)) is not None and known.parent == pid]
    found: list[int] = []
    with suppress(OSError):  # it has ended meanwhile
        for task in (_PROC / str(pid) / "task").iterdir():
            found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def _everyone() -> list[int]:
    try:
        return [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit()]
    except OSError:
        return []
