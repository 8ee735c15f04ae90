"""The expressions that decide about the tools plans call: REQUIRES, EFFECT, and the guards of the policy on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agentl.analysis.facts import all_effects
from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.model import AgentModel
from agentl.analysis.sequences import PlanSequence, sequences
from agentl.ir.declarations import Rule, Tool
from agentl.ir.expressions import Expression
from agentl.ir.statements import Call
from agentl.messages import Phrase, sequential


@dataclass(frozen=True, slots=True)
class ToolExpression:
    """An expression, where it stands (in words), the tool it is about, and the first call of it in a plan."""

    expression: Expression
    place: Phrase
    tool: Tool
    call: Call
    plan: PlanSequence

    @property
    def is_requires(self) -> bool:
        """Whether it is REQUIRES, for which observed paths are read again from their sensors (semantics.md §11)."""
        return self.expression is self.tool.requires


class ToolExpressions:
    """Those of every plan, until something is told of them: each is told once, whatever plans and tools it concerns.

    `may_matter` says of an expression by itself whether it is to be looked at at all.
    """

    def __init__(self, model: AgentModel, may_matter: Callable[[Expression], bool]) -> None:
        self._model = model
        self._may_matter = may_matter
        self._told: dict[int, Expression] = {}
        self._general = [
            rule
            for rule in model.guards.by_target.get(EVERY_TOOL, ())
            if rule.guard is not None and self._is_open(rule.guard)
        ]

    def told(self, place: ToolExpression) -> None:
        """Note that something was told of an expression."""
        self._told[id(place.expression)] = place.expression

    def __iter__(self) -> Iterator[ToolExpression]:
        for plan in sequences(self._model):
            called: dict[str, Call] = {}
            for call in plan.calls:
                called.setdefault(call.tool, call)
            for name, call in called.items():
                tool = self._model.tools.get(name)
                if tool is not None:
                    for expression, place in (*self._own(tool), *self._of_general_rules()):
                        yield ToolExpression(expression, place, tool, call, plan)

    def _is_open(self, expression: Expression) -> bool:
        return id(expression) not in self._told and self._may_matter(expression)

    def _own(self, tool: Tool) -> Iterator[tuple[Expression, Phrase]]:
        if tool.requires is not None and self._is_open(tool.requires):
            yield tool.requires, Phrase(sequential.IN_REQUIRES, tool=tool.name)
        for effect in all_effects(tool):
            if self._is_open(effect.value):
                yield effect.value, Phrase(sequential.IN_EFFECT, tool=tool.name)
        for rule in self._model.guards.by_target.get(tool.name, ()):
            if rule.guard is not None and self._is_open(rule.guard):
                yield rule.guard, Phrase(sequential.IN_A_GUARD, tool=tool.name)

    def _of_general_rules(self) -> Iterator[tuple[Expression, Phrase]]:
        # WHY: a rule of which something was told leaves the list, so that each tool asks the others only.
        self._general = [rule for rule in self._general if not self._is_told(rule)]
        for rule in self._general:
            if rule.guard is not None:
                yield rule.guard, Phrase(sequential.IN_A_GUARD, tool=EVERY_TOOL)

    def _is_told(self, rule: Rule) -> bool:
        return id(rule.guard) in self._told
