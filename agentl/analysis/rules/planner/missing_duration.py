"""W126: an operator without DURATION, for a PLANNER that has a DEADLINE or a TIME_WEIGHT other than 0."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    planner = model.agent.planner
    if planner is None:
        return
    if planner.deadline is None and (planner.time_weight is None or planner.time_weight.value == 0):
        return
    for tool in model.operators:
        if tool.duration is None:
            yield model.report(lint_planner.MISSING_DURATION, tool, symbol=f"tool:{tool.name}", tool=tool.name)


RULE = AgentRule((lint_planner.MISSING_DURATION,), check)
