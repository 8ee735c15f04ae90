"""W105: an agent without GOAL. What a PLANNER is to ACHIEVE is no goal.

In the sequential profile a plan says by GIVE or STOP when it is done, and no goal is ever evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if not model.agent.goals and model.profile != "sequential":
        yield model.report(lint.MISSING_GOAL, model.agent, symbol=f"agent:{model.agent.name}")


RULE = AgentRule((lint.MISSING_GOAL,), check)
