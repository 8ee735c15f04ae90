"""E004: one name twice among the tools, the plans, the goals or the scenarios of an agent.

One finding for each repetition, at the later declaration. Goals without a name are all called `main`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Goal, Plan, Scenario, Tool
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    agent = model.agent
    yield from _repeated(model, "TOOL", agent.tools)
    yield from _repeated(model, "PLAN", agent.plans)
    yield from _repeated(model, "GOAL", agent.goals)
    yield from _repeated(model, "SCENARIO", agent.scenarios)


def _repeated(
    model: AgentModel, kind: str, declared: tuple[Tool | Plan | Goal | Scenario, ...]
) -> Iterator[Diagnostic]:
    first: dict[str, Tool | Plan | Goal | Scenario] = {}
    for node in declared:
        earlier = first.setdefault(node.name, node)
        if earlier is not node:
            yield model.report(
                lint.DUPLICATE_DECLARATION,
                node,
                symbol=f"{kind.lower()}:{node.name}",
                hint=_hint(node),
                related=(model.related(earlier, lint.FIRST_HERE),),
                kind=kind,
                name=node.name,
            )


def _hint(node: Tool | Plan | Goal | Scenario) -> Hint | None:
    return (lint.UNNAMED_GOALS, {}) if isinstance(node, Goal) and node.name == "main" else None


RULE = AgentRule((lint.DUPLICATE_DECLARATION,), check)
