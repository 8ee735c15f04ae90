"""W106: a plan without WHEN that no statement names, in an agent whose DECIDE has no REASON to choose it.

A plan that names itself counts as named, and so does one named where nothing ever runs. In the sequential profile a
caller starts plans by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import PlanReference
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.profile == "sequential":
        return
    if model.agent.decide is not None and model.agent.decide.reason is not None:
        return
    named = {statement.plan for statement, _ in model.sites if isinstance(statement, PlanReference)}
    for plan in model.agent.plans:
        if plan.when is None and plan.name not in named:
            yield model.report(lint.UNREACHABLE_PLAN, plan, symbol=f"plan:{plan.name}", plan=plan.name)


RULE = AgentRule((lint.UNREACHABLE_PLAN,), check)
