"""The register: how many commits a state folder had, noted outside it, so that an older copy is recognised (G25)."""

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
    """One small file for one state folder, named by the folder's path.

    Written after each commit, never before it, and not flushed: a power cut may leave it behind the database, which is
    no fault; a database behind it is a restored copy.
    """

    def __init__(self, folder: str) -> None:
        name = hashlib.sha256(folder.encode("utf-8", errors="surrogateescape")).hexdigest()[:32]
        self._path = state_home() / "agentl" / "registers" / f"{name}.json"
        self._fd = -1

    def read(self) -> int:
        """The number of the last commit that was noted; 0 when none was."""
        try:
            number = json.loads(self._path.read_bytes())["commits"]
        except (OSError, ValueError, KeyError, TypeError):
            return 0
        return number if type(number) is int else 0

    def write(self, number: int) -> None:
        """Note a commit. A register that cannot be written only recognises less."""
        line = json.dumps({"commits": number}).encode().ljust(_WIDTH - 1) + b"\n"
        with suppress(OSError):
            if self._fd < 0:
                self._path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
                flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
                self._fd = os.open(self._path, flags, 0o600)
            os.pwrite(self._fd, line, 0)

    def close(self) -> None:
        """Give the file up; the next write opens it again."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
