"""Which values a checkpoint shows: those something can still read (operations-contract.md §7 Liveness)."""

from __future__ import annotations

from agentl.ir.program import Agent


def live_values(agent: Agent, plan: str, done: int) -> frozenset[str] | None:
    """The bound paths something after the first `done` statements can read; None: all of them."""
    return None
