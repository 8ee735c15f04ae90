"""Which values a checkpoint shows: those something can still read (operations-contract.md §7 Liveness)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.analysis.sequential.liveness import live_after
from agentl.ir.program import Agent


def live_values(agent: Agent, plan: str, done: int, outputs: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    """Of outputs by tool and key those that a statement after the first `done` can read, as `<tool>.<key>`, sorted.

    An output is read under any of its names: `<tool>.<key>`, `<key>`, `result.<tool>` and `result`.
    """
    live = live_after(agent, plan, done)
    return {
        f"{tool}.{key}": outputs[tool, key]
        for tool, key in sorted(outputs)
        if not live.isdisjoint((f"{tool}.{key}", key, f"result.{tool}", "result"))
    }
