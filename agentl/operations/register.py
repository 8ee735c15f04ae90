"""The register: how many commits a state folder had, noted outside it.

By it an older copy is recognised (G25), and of two copies the one that did not go on (decision 29).
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

_WIDTH = 64  # one line of a fixed width is overwritten in place: no rename, no flush, a few microseconds


def state_home() -> Path:
    """Where this user's state is kept: XDG_STATE_HOME, else ~/.local/state."""
    given = os.environ.get("XDG_STATE_HOME", "")
    return Path(given) if given.startswith("/") else Path.home() / ".local" / "state"


class Register:
    """Two small files for one state folder: one for its path, where an older database may be put back, and one for its
    identity, which every copy of it has, wherever it lies.

    Written after each commit, never before it, and not flushed: a power cut may leave it behind the database, which is
    no fault; a database behind it is a restored copy.
    """

    def __init__(self, path: str, identity: int) -> None:
        self._files = [_Noted(path), _Noted(f"identity:{identity}")]

    def read(self) -> int:
        """The number of the last commit that was noted; 0 when none was."""
        return max(file.read() for file in self._files)

    def write(self, number: int) -> None:
        """Note a commit. A register that cannot be written only recognises less."""
        for file in self._files:
            file.write(number)

    def close(self) -> None:
        """Give the files up; the next write opens them again."""
        for file in self._files:
            file.close()


class _Noted:
    """One file, named by the hash of what it is about."""

    def __init__(self, about: str) -> None:
        name = hashlib.sha256(about.encode("utf-8", errors="surrogateescape")).hexdigest()[:32]
        self._path = state_home() / "agentl" / "registers" / f"{name}.json"
        self._fd = -1

    def read(self) -> int:
        try:
            number = json.loads(self._path.read_bytes())["commits"]
        except (OSError, ValueError, KeyError, TypeError):
            return 0
        return number if type(number) is int else 0

    def write(self, number: int) -> None:
        line = json.dumps({"commits": number}).encode().ljust(_WIDTH - 1) + b"\n"
        with suppress(OSError):
            if self._fd < 0:
                self._path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
                flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
                self._fd = os.open(self._path, flags, 0o600)
            os.pwrite(self._fd, line, 0)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
