"""W105: an agent without GOAL. What a PLANNER is to ACHIEVE is no goal."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if not model.agent.goals:
        yield model.report(lint.MISSING_GOAL, model.agent, symbol=f"agent:{model.agent.name}")


RULE = AgentRule((lint.MISSING_GOAL,), check)
