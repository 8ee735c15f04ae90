"""Branches: the states the world may be in while a plan is thought through, each found once (semantics.md §20)."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

from agentl.logic.errors import EvalError
from agentl.logic.scope import Scope
from agentl.planning.problem import Condition, PlannerProblem
from agentl.values import Label, NotStorable, Symbol, canonical_json, encode


class Branch:
    """One state: what effects have changed, laid over the real state, which they dominate.

    `values` is what can be told apart of it by value, `key` also by where the values come from. `considered` keeps what
    each operator does here (`moves.Considered`). `met` has the truth of each goal, `utility` the sum of the terms that
    hold.
    """

    __slots__ = ("considered", "key", "labels", "met", "overlay", "scope", "utility", "values")

    def __init__(
        self,
        scope: Scope,
        overlay: Mapping[str, Any],
        labels: Mapping[str, Label],
        key: tuple[tuple[str, ...], tuple[Label, ...]],
    ) -> None:
        self.scope = scope
        self.overlay = overlay
        self.labels = labels
        self.key = key
        self.values = key[0]
        self.met: tuple[bool, ...] = ()
        self.utility = 0.0
        self.considered: dict[str, Any] = {}


Distribution = tuple[tuple[float, Branch], ...]
"""Branches with their probabilities, in the order in which they came about."""


class Branches:
    """All branches of one search, and the conditions that could not be evaluated in one of them (`faults`)."""

    def __init__(self, problem: PlannerProblem, scope: Scope) -> None:
        self._problem = problem
        self._base = scope
        self._places = {path: index for index, path in enumerate(problem.paths)}
        self._known: dict[tuple[tuple[str, ...], tuple[Label, ...]], Branch] = {}
        self.faults: dict[tuple[str, str], None] = {}
        values = tuple(told_apart(scope.get(path)) for path in problem.paths)
        self.root = self._branch({}, {}, (values, tuple(scope.label(path) for path in problem.paths)))

    def changed(self, branch: Branch, effects: Mapping[str, tuple[Any, Label]]) -> Branch:
        """The branch in which effects (path → value and label) have come about."""
        values, labels = list(branch.key[0]), list(branch.key[1])
        for path, (value, label) in effects.items():
            place = self._places[path]
            values[place], labels[place] = told_apart(value), label
        key = (tuple(values), tuple(labels))
        known = self._known.get(key)
        if known is not None:
            return known
        overlay = {**branch.overlay, **{path: value for path, (value, _) in effects.items()}}
        return self._branch(overlay, {**branch.labels, **{path: label for path, (_, label) in effects.items()}}, key)

    def holds(self, condition: Condition, scope: Scope) -> bool:
        """Ordinary truth; an error counts as false and is noted."""
        try:
            return condition.test(scope)
        except EvalError as problem:
            self.faults[condition.text, str(problem)] = None
            return False

    def _branch(
        self,
        overlay: Mapping[str, Any],
        labels: Mapping[str, Label],
        key: tuple[tuple[str, ...], tuple[Label, ...]],
    ) -> Branch:
        scope = self._base.overlaid(overlay, labels)
        branch = self._known[key] = Branch(scope, overlay, labels, key)
        branch.met = tuple([self.holds(goal, scope) for goal in self._problem.goals])
        branch.utility = fsum(value for term, value in self._problem.utility if self.holds(term, scope))
        return branch


def told_apart(value: Any) -> str:
    """Text that is the same only for values that nothing in the language can tell apart."""
    kind = type(value)
    # WHY: nearly every value in a plan is a word or a number, and each effect in each branch comes by here.
    if kind is Symbol:
        return f"word {value.name}"
    if kind is str:
        return f"text {value}"
    if kind is int or kind is float or kind is bool:
        return repr(value)
    try:
        return canonical_json(encode(value, sort_dicts=True))
    except NotStorable:
        # WHY: only compared, never ordered or shown; the object lives as long as the search.
        return f"object {id(value)}"


def merged(parts: list[tuple[float, Branch]]) -> Distribution:
    """Put equal branches together, each at the place where it first came about."""
    found: dict[int, tuple[Branch, list[float]]] = {}
    for probability, branch in parts:
        found.setdefault(id(branch), (branch, []))[1].append(probability)
    return tuple((fsum(probabilities), branch) for branch, probabilities in found.values())


def rounded(number: float) -> float:
    """12 significant digits: what differs less is a tie (decision 15)."""
    return float(f"{number:.12g}")


def same_values(one: Distribution, other: Distribution) -> bool:
    """Whether two distributions cannot be told apart by value, wherever the values come from."""
    if {branch.values for _, branch in one} != {branch.values for _, branch in other}:
        return False
    return _by_values(one) == _by_values(other)


def _by_values(distribution: Distribution) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], list[float]] = {}
    for probability, branch in distribution:
        found.setdefault(branch.values, []).append(probability)
    return {values: rounded(fsum(probabilities)) for values, probabilities in found.items()}


def identity(distribution: Distribution) -> frozenset[tuple[float, int]]:
    """What a distribution is known by within its search."""
    return frozenset((rounded(probability), id(branch)) for probability, branch in distribution)
