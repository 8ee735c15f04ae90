"""Where calls in expressions are checked: E009, E015, E016 and E201 look here (E009 in diagnostics.md §2).

AGENT-L 1.10 searches no other place, and what it accepts stays accepted. The others are for the strict profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentl.analysis.facts import all_effects
from agentl.analysis.statements import Site, expressions
from agentl.ir.expressions import Expression
from agentl.ir.node import Node
from agentl.ir.program import Agent
from agentl.ir.statements import Ask, Judge, Reason


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


def unsearched_expressions(agent: Agent, sites: Iterable[Site]) -> Iterator[Searched]:
    """Yield every other expression of an agent: those of tools, oracles, knowledge and scenarios."""
    for owner, symbol, expression in (*_of_tools(agent), *_of_oracles(sites), *_of_knowledge(agent)):
        if expression is not None:
            yield Searched(expression, owner, symbol)
    for scenario in agent.scenarios:
        symbol = f"scenario:{scenario.name}"
        for given in scenario.given:
            yield Searched(given.value, given, symbol)
        for stimulus in scenario.stimuli:
            for entry in stimulus.payload:
                yield Searched(entry.value, entry, symbol)
        for expected in scenario.expect:
            yield Searched(expected, scenario, symbol)


def _of_tools(agent: Agent) -> Iterator[tuple[Node, str, Expression | None]]:
    for tool in agent.tools:
        yield tool, f"tool:{tool.name}", tool.requires
        for effect in all_effects(tool):
            yield effect, f"tool:{tool.name}", effect.value


def _of_oracles(sites: Iterable[Site]) -> Iterator[tuple[Node, str, Expression | None]]:
    for statement, symbol in sites:
        match statement:
            case Reason():
                yield from ((statement, symbol, field.default) for field in statement.fields)
            case Judge():
                yield from ((statement, symbol, question.default) for question in statement.questions)
            case Ask():
                yield statement, symbol, statement.default


def _of_knowledge(agent: Agent) -> Iterator[tuple[Node, str, Expression | None]]:
    for belief in agent.beliefs:
        yield belief, f"belief:{belief.path}", belief.value
    for observer in agent.observers:
        yield observer, f"observer:{observer.path}", observer.fallback
    for term in agent.utility:
        yield term, "utility", term.condition
    for hypothesis in agent.hypotheses:
        yield hypothesis, f"hypothesis:{hypothesis.name}", hypothesis.prior_where
        yield hypothesis, f"hypothesis:{hypothesis.name}", hypothesis.explains_value
    if agent.planner is not None:
        for aim in agent.planner.achieve:
            yield agent.planner, "planner", aim
