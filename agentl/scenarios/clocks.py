"""Clocks that stand still: no time passes in a scenario."""

from __future__ import annotations


class StillClocks:
    """The clocks of a run (`agentl.journal.clocks.Clocks`), the same on every machine."""

    boot_id = "scenario"
    host = "scenario"
    pid = 0

    def wall_ms(self) -> int:
        return 0

    def boot_s(self) -> float:
        return 0.0

    def pause(self, seconds: float) -> None:
        """Does not wait."""
