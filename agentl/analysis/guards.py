"""Guards: the policy of one agent by what its rules are about and what they read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from agentl.analysis.facts import is_closed
from agentl.analysis.paths import paths
from agentl.ir.declarations import Rule
from agentl.ir.expressions import And, Comparison, Expression, Not, Or
from agentl.ir.program import Agent
from agentl.ir.walk import walk

EVERY_TOOL = "*"


class Guards:
    """Each index is made once, on first use, so that asking about every tool or field stays linear."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @cached_property
    def by_target(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules of each target as it is written, `*` being one."""
        found: dict[str, list[Rule]] = defaultdict(list)
        for rule in self._agent.rules:
            found[rule.target].append(rule)
        return {target: tuple(rules) for target, rules in found.items()}

    @cached_property
    def reads(self) -> tuple[tuple[Rule, frozenset[str]], ...]:
        """Every guarded rule with the paths of its guard."""
        return tuple((rule, frozenset(paths(rule.guard))) for rule in self._agent.rules if rule.guard is not None)

    @cached_property
    def paths(self) -> frozenset[str]:
        """Every path that some guard reads."""
        return frozenset(path for _, read in self.reads for path in read)

    @cached_property
    def closed_reading(self) -> Mapping[str, tuple[Rule, ...]]:
        """The closed rules whose guard reads a path, by that path."""
        found: dict[str, list[Rule]] = defaultdict(list)
        for rule, read in self.reads:
            if is_closed(rule):
                for path in read:
                    found[path].append(rule)
        return {path: tuple(rules) for path, rules in found.items()}

    def closed_reading_any(self, wanted: Iterable[str]) -> tuple[Rule, ...]:
        """Return the closed rules whose guard reads one of these paths, in source order, each once."""
        rules = {id(rule): rule for path in wanted for rule in self.closed_reading.get(path, ())}
        return tuple(sorted(rules.values(), key=lambda rule: self._places[id(rule)]))

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {id(rule): index for index, rule in enumerate(self._agent.rules)}


class Targets:
    """The tools that some of these rules are about: a rule on `*` is about each (policy.md §1)."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._names = frozenset(rule.target for rule in rules)
        self._every_tool = EVERY_TOOL in self._names

    def __contains__(self, tool: str) -> bool:
        return self._every_tool or tool in self._names


def questions(guard: Expression) -> Iterator[Expression]:
    """Yield what must answer yes or no: the guard, or the operands of AND, OR and NOT in it; in no particular order."""
    stack = [guard]
    while stack:
        expression = stack.pop()
        match expression:
            case And() | Or():
                stack.extend(expression.items)
            case Not():
                stack.append(expression.operand)
            case _:
                yield expression


def comparisons(expression: Expression) -> Iterator[Comparison]:
    """Yield the comparisons of an expression, IN left out (diagnostics.md §1.1), in source order."""
    for _, node in walk(expression):
        if isinstance(node, Comparison) and node.op != "IN":
            yield node
