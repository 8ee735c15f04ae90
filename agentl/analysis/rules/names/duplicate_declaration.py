"""E004: one name twice among the tools, the plans, the goals or the scenarios of an agent.

One finding for each repetition, at the later declaration. Goals without a name are all called `main`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import after_word, free_names, tokens
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic, Edit, Fix, Span
from agentl.ir.declarations import Goal, Plan, Scenario, Tool
from agentl.ir.node import Node
from agentl.messages import Phrase, lint


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
    free = free_names("main", {node.name for node in declared})
    for node in declared:
        earlier = first.setdefault(node.name, node)
        if earlier is not node:
            yield model.report(
                lint.DUPLICATE_DECLARATION,
                node,
                symbol=f"{kind.lower()}:{node.name}",
                hint=(lint.UNNAMED_GOALS, {}) if _is_unnamed(model, node) else None,
                related=(model.related(earlier, lint.FIRST_HERE),),
                fixes=_named(model, node, next(free)) if _is_unnamed(model, node) else (),
                kind=kind,
                name=node.name,
            )


def _is_unnamed(model: AgentModel, node: Tool | Plan | Goal | Scenario) -> bool:
    return isinstance(node, Goal) and next(after_word(tokens(model, node), "GOAL")).text == "{"


def _named(model: AgentModel, goal: Node, name: str) -> tuple[Fix, ...]:
    end = next(tokens(model, goal)).end
    return (Fix(Phrase(lint.NAME_GOAL, name=name), (Edit(Span(end, end), f" {name}"),), safe=False),)


RULE = AgentRule((lint.DUPLICATE_DECLARATION,), check)
