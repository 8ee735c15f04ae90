"""The clocks of a run, in one object that is handed in: nothing else in the journal asks for the time (decision 5)."""

from __future__ import annotations

import os
import socket
import time
import uuid
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_BOOT_TIME: int | None = getattr(time, "CLOCK_BOOTTIME", None)


class Clocks(Protocol):
    """Wall time for people, boot time for ages, and what tells one machine and one boot from another."""

    def wall_ms(self) -> int:
        """UTC, milliseconds since 1970. Only for people: no decision may depend on it."""

    def boot_s(self) -> float:
        """Seconds since the machine was started, sleep included where the system counts it."""

    def pause(self, seconds: float) -> None:
        """Wait."""

    @property
    def boot_id(self) -> str:
        """Names this boot of this machine; another text after a restart."""

    @property
    def host(self) -> str:
        """The machine's name."""

    @property
    def pid(self) -> int:
        """The number of this process."""


class SystemClocks:
    """The clocks of the machine the process runs on."""

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def boot_s(self) -> float:
        return time.monotonic() if _BOOT_TIME is None else time.clock_gettime(_BOOT_TIME)

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    @cached_property
    def boot_id(self) -> str:
        """From the kernel; where it tells none, one of this process: then every other process counts as another boot,
        which only makes a settler wait longer."""
        try:
            return _BOOT_ID.read_text(encoding="ascii").strip()
        except (OSError, UnicodeError):
            return f"process-{uuid.uuid4()}"

    @cached_property
    def host(self) -> str:
        return socket.gethostname()

    @property
    def pid(self) -> int:
        return os.getpid()


def iso(at: int) -> str:
    """Write milliseconds as UTC, ISO 8601, whole seconds."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
