"""The register: how many commits a state folder had, noted outside it, so that an older copy is recognised (G25)."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path


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
        self._folder = folder

    def read(self) -> int:
        """The number of the last commit that was noted; 0 when none was."""
        try:
            noted = json.loads(self._path.read_bytes())
            number = noted["commits"]
        except (OSError, ValueError, KeyError, TypeError):
            return 0
        return number if type(number) is int and noted.get("folder") == self._folder else 0

    def write(self, number: int) -> None:
        """Note a commit. A register that cannot be written only recognises less."""
        text = json.dumps({"folder": self._folder, "commits": number}).encode()
        with suppress(OSError):
            if not self._path.parent.is_dir():
                self._path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
            temporary = self._path.with_suffix(".tmp")
            fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                os.write(fd, text)
            finally:
                os.close(fd)
            temporary.replace(self._path)
