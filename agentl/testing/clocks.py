"""Clocks that a test moves: they stand still, and sleeping moves them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SettableClocks:
    """Clocks of a run (`agentl.journal.clocks.Clocks`). `wall` in milliseconds, `boot` in seconds."""

    wall: int = 1_700_000_000_000
    boot: float = 100.0
    boot_id: str = "boot-1"
    host: str = "here"
    pid: int = 4242

    def wall_ms(self) -> int:
        return self.wall

    def boot_s(self) -> float:
        return self.boot

    def pause(self, seconds: float) -> None:
        """Move both clocks on, at once: what a run sleeps, and waits for."""
        self.boot += seconds
        self.wall += int(seconds * 1000)
