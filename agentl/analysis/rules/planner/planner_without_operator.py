"""W108: a PLANNER in an agent whose tools have neither EFFECT nor OUTCOME. Other rules on planners are then silent."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    planner = model.agent.planner
    if planner is not None and not model.operators:
        yield model.report(lint_planner.PLANNER_WITHOUT_OPERATOR, planner, symbol="planner")


RULE = AgentRule((lint_planner.PLANNER_WITHOUT_OPERATOR,), check)
