"""O108: a plan, or what decides about a tool it calls, uses memory: SHARED, a key, UPDATE_MEMORY.

A name that the plan gives a value itself is no key of memory there.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_nodes, paths, with_parents
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import PlanSequence, in_plans, sequences
from agentl.analysis.statements import expressions, nested
from agentl.analysis.tool_expressions import ToolExpressions
from agentl.analysis.unfilled import filled
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Expression
from agentl.ir.node import Node
from agentl.ir.statements import Phase
from agentl.messages import sequential as messages

_SHARED = "SHARED"


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for phase, plan in in_plans(model, Phase):
        if phase.phase == "UPDATE_MEMORY":
            yield _found(model, plan, phase, phase.phase)
    for plan in sequences(model):
        for statement in nested(plan.statements):
            for expression in expressions(statement):
                yield from _in(model, plan, expression)
    keys = model.derived(_keys)
    places = ToolExpressions(model, lambda expression: any(map(keys.__contains__, _parents(expression))))
    for place in places:
        for finding in _in(model, place.plan, place.expression):
            places.told(place)
            yield finding


def _parents(expression: Expression) -> Iterator[str]:
    return (parent for path in paths(expression) for parent in with_parents(path))


def _keys(model: AgentModel) -> frozenset[str]:
    """SHARED and the keys of memory, which are read by their bare names (semantics.md §18.1)."""
    memory = model.agent.memory
    if memory is None:
        return frozenset({_SHARED})
    written = (write.key for write in memory.writes)
    return frozenset((_SHARED, *memory.short_term, *memory.long_term, *memory.knowledge, *written))


def _in(model: AgentModel, plan: PlanSequence, expression: Expression) -> Iterator[Diagnostic]:
    keys = model.derived(_keys)
    for node, path in path_nodes(expression):
        key = next((parent for parent in with_parents(path) if parent in keys), None)
        if key is not None and key not in filled(model, plan):
            yield _found(model, plan, node, f"`{path}`")


def _found(model: AgentModel, plan: PlanSequence, node: Node, what: str) -> Diagnostic:
    return model.report(messages.MEMORY, node, symbol=plan.symbol, what=what, plan=plan.name)


RULE = AgentRule((messages.MEMORY,), check, profile="sequential")
