"""What handlers wrote to stderr: kept for people on the machine, for seven days (contract §7, stderr)."""

from __future__ import annotations

import hashlib
import os
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

from agentl.operations.calls import KEPT_STDERR
from agentl.operations.secrets import KnownSecrets

STDERR = "stderr"  # the folder of them, in a state folder
KEPT_S = 7 * 24 * 3600
_SWEEP_S = 3600


class StderrFiles:
    """A folder of one file for each attempt, named by the SHA-256 of its call_id; 0700, files 0600."""

    def __init__(self, folder: Path, secrets: KnownSecrets) -> None:
        self._folder = folder
        self._secrets = secrets
        self._swept = float("-inf")

    def keep(self, call_id: str, stderr: bytes) -> None:
        """Write down what an attempt said, secrets replaced and control characters escaped; nothing for nothing.

        Best effort: a full disk does not change how a call ended.
        """
        self._sweep_at_times()
        if not stderr:
            return
        text = stderr.decode("utf-8", "replace")
        text = printable(self._secrets.redact(text, is_cut=len(stderr) >= KEPT_STDERR))
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(self._file(call_id), flags, 0o600), "w", encoding="utf-8") as file:
                file.write(text)

    def read(self, call_id: str) -> str | None:
        """Return what is kept of an attempt; None when nothing is."""
        try:
            return self._file(call_id).read_text(encoding="utf-8")
        except OSError:
            return None

    def remove(self, call_id: str) -> None:
        """Remove what is kept of an attempt."""
        with suppress(OSError):
            self._file(call_id).unlink()

    def sweep(self, now: float | None = None) -> None:
        """Remove what is older than seven days. now: seconds since 1970, the clock that dates files."""
        oldest = (time.time() if now is None else now) - KEPT_S
        with suppress(OSError):
            for file in self._folder.iterdir():
                with suppress(OSError):
                    if file.stat().st_mtime < oldest:
                        file.unlink()

    def _sweep_at_times(self) -> None:
        if time.monotonic() - self._swept > _SWEEP_S:
            self._swept = time.monotonic()
            self.sweep()

    def _file(self, call_id: str) -> Path:
        return self._folder / f"{hashlib.sha256(call_id.encode()).hexdigest()}.txt"


def printable(text: str) -> str:
    """Escape every control and format character but the line end and the tab: none may steer a terminal."""
    return "".join(char if char in "\n\t" or not _is_steering(char) else _escaped(char) for char in text)


def _is_steering(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
