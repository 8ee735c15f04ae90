"""W220: an agent LOOP without MAX. It is accepted and bounded at 10 ticks (syntax.md §3.15)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint

DEFAULT_TICKS = 10


def check(model: AgentModel) -> Iterator[Diagnostic]:
    cycle = model.agent.loop
    if cycle is not None and cycle.limit is None:
        yield model.report(lint.UNBOUNDED_LOOP, cycle, symbol="loop", limit=DEFAULT_TICKS)


RULE = AgentRule((lint.UNBOUNDED_LOOP,), check)
