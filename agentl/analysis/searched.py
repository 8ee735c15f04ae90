"""Where calls in expressions are checked: E009, E015, E016 and E201 look here (E009 in diagnostics.md §2).

Not searched: REQUIRES, effect values, UTILITY, PLANNER ACHIEVE, belief values, GIVEN, EXPECT, defaults of oracles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentl.analysis.statements import Site, expressions
from agentl.ir.expressions import Expression
from agentl.ir.node import Node
from agentl.ir.program import Agent


class Searched(NamedTuple):
    """An expression; its owner gives the line, and `is_guard` says that it guards a policy rule."""

    expression: Expression
    owner: Node
    symbol: str
    is_guard: bool = False


def searched_expressions(agent: Agent, sites: Iterable[Site]) -> Iterator[Searched]:
    """Yield the expressions of all statements, then those of the declarations."""
    for statement, symbol in sites:
        for expression in expressions(statement):
            yield Searched(expression, statement, symbol)
    for rule in agent.rules:
        if rule.guard is not None:
            yield Searched(rule.guard, rule, f"rule:{rule.target}", is_guard=True)
    for owner, symbol, condition in _conditions(agent):
        if condition is not None:
            yield Searched(condition, owner, symbol)


def _conditions(agent: Agent) -> Iterator[tuple[Node, str, Expression | None]]:
    for plan in agent.plans:
        yield plan, f"plan:{plan.name}", plan.when
    for event in agent.events:
        yield event, f"event:{event.source}", event.when
    for handler in agent.messages:
        yield handler, f"message:{handler.message}", handler.when
    for observer in agent.observers:
        yield observer, f"observer:{observer.path}", observer.when
    for write in agent.memory.writes if agent.memory is not None else ():
        yield write, "memory", write.when
    for goal in agent.goals:
        yield goal, f"goal:{goal.name}", goal.condition
        for target in goal.targets:
            yield goal, f"goal:{goal.name}", target
    for hypothesis in agent.hypotheses:
        for item in hypothesis.evidence:
            yield hypothesis, f"hypothesis:{hypothesis.name}", item.test
    if agent.loop is not None:
        yield agent.loop, "loop", agent.loop.until
