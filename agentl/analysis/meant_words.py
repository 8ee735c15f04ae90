"""Bare names that are meant as words, and those that something gives a value to (W248)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agentl.analysis.facts import all_effects, field_names
from agentl.analysis.model import AgentModel
from agentl.ir.declarations import EventHandler, Goal, LoopSpec, MemoryWrite, MessageHandler, Observer, Plan, Rule
from agentl.ir.expressions import Expression, Path
from agentl.ir.node import Node
from agentl.ir.statements import Delegate, Judge, Reason, Set

# Declarations whose every expression is a condition.
_WITH_CONDITION = (Plan, EventHandler, MessageHandler, Observer, MemoryWrite, Goal, LoopSpec)
_NO_INPUTS: frozenset[str] = frozenset()


class Condition(NamedTuple):
    """A condition that stands outside of statements; `inputs` are bare names of arguments in it."""

    expression: Expression
    symbol: str
    inputs: frozenset[str] = _NO_INPUTS


def value_names(model: AgentModel) -> Mapping[str, str]:
    """Return the names of outputs, answers and replies, each with what gives it a value first."""
    found: dict[str, str] = {}
    for tool in model.agent.tools:
        for output in tool.outputs:
            found.setdefault(output.name, tool.name)
    for oracle, _ in model.oracles:
        for name in field_names(oracle):
            found.setdefault(name, oracle.kind.upper())
    for statement, _ in model.sites:
        if isinstance(statement, Delegate):
            for name in statement.expect:
                found.setdefault(name, statement.to)
    return found


def given_words(model: AgentModel) -> Mapping[str, Mapping[str, Node]]:
    """Return the words that each path is given, with the place of the first."""
    found: dict[str, dict[str, Node]] = defaultdict(dict)
    for path, value, node in _assignments(model):
        if isinstance(value, Path) and value.is_bare:
            found[path].setdefault(value.path, node)
    for oracle, _ in model.oracles:
        for name, word in _possible_answers(oracle):
            for path in (f"reason.{name}", f"judge.{name}", f"judge.{name}.value"):
                found[path].setdefault(word, oracle)
    return found


def conditions_of(model: AgentModel) -> Iterator[Condition]:
    """Yield the conditions that are tested again and again: of rules, plans, handlers, goals, loops, scenarios.

    Conditions of statements are left out: there a bare name is often the output of the call before.
    """
    for place in model.searched:
        if isinstance(place.owner, Rule):
            tool = model.tools.get(place.owner.target)
            inputs = _NO_INPUTS if tool is None else frozenset(parameter.name for parameter in tool.inputs)
            yield Condition(place.expression, place.symbol, inputs)
        elif isinstance(place.owner, _WITH_CONDITION):
            yield Condition(place.expression, place.symbol)
    for scenario in model.agent.scenarios:
        for expected in scenario.expect:
            yield Condition(expected, f"scenario:{scenario.name}")


def _assignments(model: AgentModel) -> Iterator[tuple[str, Expression, Node]]:
    agent = model.agent
    for belief in agent.beliefs:
        yield belief.path, belief.value, belief
    for tool in agent.tools:
        yield from ((effect.path, effect.value, effect) for effect in all_effects(tool))
    for scenario in agent.scenarios:
        yield from ((given.path, given.value, given) for given in scenario.given)
    for statement, _ in model.sites:
        if isinstance(statement, Set):
            yield statement.path, statement.value, statement


def _possible_answers(oracle: Reason | Judge) -> Iterator[tuple[str, str]]:
    if isinstance(oracle, Judge):
        yield from ((question.name, option.name) for question in oracle.questions for option in question.options)
        return
    for field in oracle.fields:
        for item in field.domain.items if field.domain is not None else ():
            if isinstance(item, Path) and item.is_bare:
                yield field.name, item.path
