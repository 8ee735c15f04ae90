"""The dotted paths that something in an agent may give a value, and the guards that read them (W245)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cached_property
from typing import NamedTuple

from agentl.analysis.guards import comparisons
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import segments, with_parents
from agentl.ir.declarations import EventHandler, LoopSpec, MessageHandler, Plan, Rule
from agentl.ir.expressions import Expression
from agentl.ir.statements import Delegate, Foreach, If, Loop, Verify

# First segments of what a run gives a value itself (semantics.md §27); `tools` is E205's.
_RUN = frozenset(
    {
        *("action", "tools", "goal", "goals", "sensors", "planner", "last_action", "answer", "result"),
        *("payload", "event", "message", "hypothesis", "hypotheses", "memory", "SHARED", "shared"),
        *("SHORT_TERM", "LONG_TERM", "KNOWLEDGE"),
    }
)
_OF_ANY_PATH = ("confidence", "dirty", "available")
_FLAGS = ("reason.missing", "reason.degraded")


class Guard(NamedTuple):
    """A guard; `target` only of a policy rule, and `left_alone` are the nodes in it that other rules speak of."""

    expression: Expression
    symbol: str
    target: str | None = None
    left_alone: frozenset[int] = frozenset()


def guards_of(model: AgentModel) -> Iterator[Guard]:
    """Yield the guards of rules, and the conditions of plans, handlers, IF, VERIFY and loops."""
    for place in model.searched:
        owner = place.owner
        if isinstance(owner, Rule):
            yield Guard(place.expression, place.symbol, owner.target)
        elif isinstance(owner, If | Verify | Loop | Plan | EventHandler | MessageHandler | LoopSpec):
            yield Guard(place.expression, place.symbol, None, _inequalities(place.expression))


def _inequalities(expression: Expression) -> frozenset[int]:
    sides = (each for each in comparisons(expression) if each.op == "!=")
    return frozenset(id(side) for each in sides for side in (each.left, each.right))


class DefinedPaths:
    """What may have a value; a path below one of them may too, since a value may hold others."""

    def __init__(self, model: AgentModel) -> None:
        self._model = model

    @cached_property
    def dotted(self) -> frozenset[str]:
        """Every dotted path that something gives a value."""
        return frozenset(path for path in self._paths if "." in path)

    def has(self, path: str, target: str | None) -> bool:
        """True when a path may have a value in the guard of a rule on `target`, or elsewhere without one."""
        head, tail = segments(path)[0], segments(path)[-1]
        if head in self._heads or tail in _OF_ANY_PATH or path in _FLAGS:
            return True
        given = (self._paths, *(() if target is None else self._arguments(target)))
        return any(parent in paths for parent in with_parents(path) for paths in given)

    @cached_property
    def _paths(self) -> frozenset[str]:
        model = self._model
        memory = model.agent.memory
        keys = () if memory is None else (*memory.short_term, *memory.long_term, *memory.knowledge)
        written = () if memory is None else (write.key for write in memory.writes)
        return model.known | model.produced | model.refreshed | frozenset((*keys, *written))

    @cached_property
    def _heads(self) -> frozenset[str]:
        model = self._model
        variables = (s.variable for s, _ in model.sites if isinstance(s, Foreach))
        return _RUN | model.hypotheses | frozenset(variables)

    def _arguments(self, target: str) -> tuple[Set[str], Set[str]]:
        """What an action carries into the guard: its arguments, and the inputs of a delegation (policy.md §4, §8)."""
        return self._inputs.get(target, self._every_input), self._delegated.get(target, frozenset())

    @cached_property
    def _inputs(self) -> Mapping[str, frozenset[str]]:
        return {name: frozenset(p.name for p in tool.inputs) for name, tool in self._model.tools.items()}

    @cached_property
    def _every_input(self) -> frozenset[str]:
        return frozenset(parameter.name for tool in self._model.agent.tools for parameter in tool.inputs)

    @cached_property
    def _delegated(self) -> Mapping[str, Set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for statement, _ in self._model.sites:
            if isinstance(statement, Delegate):
                found[statement.to].update(statement.inputs)
        return found
