"""W110: an aim of the PLANNER that shares no path with the effects of any tool. Conditions of GOAL do not count."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import effect_paths
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    planner = model.agent.planner
    if planner is None or not model.operators:
        return
    reached = frozenset(path for tool in model.operators for path in effect_paths(tool))
    for aim in planner.achieve:
        if reached.isdisjoint(paths(aim)):
            from agentl.logic.render import render_expression  # only a program with a finding pays for it

            yield model.report(lint_planner.UNREACHABLE_AIM, aim, symbol="planner", aim=render_expression(aim))


RULE = AgentRule((lint_planner.UNREACHABLE_AIM,), check)
