"""Conditions: whether a policy guard can be true, or false, and whether one can hold without another.

A guard is taken apart into the ways in which it can hold. Each way is tried on the values that can tell its comparisons
apart, with the evaluator's own equality, order and membership. So what is said to be impossible is impossible; where a
guard is too large or reads something computed, nothing is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import isfinite
from typing import Any

from agentl.analysis.domains import Domain, Domains, Range, Values, View
from agentl.analysis.literals import Constant, Literal, Term, Whole, Word, leaves, terms
from agentl.analysis.model import AgentModel
from agentl.ir.declarations import Rule
from agentl.ir.expressions import Expression

_BOOLEAN_WORDS = frozenset({"yes", "no", "true", "false"})
_ORDERINGS = frozenset({"<", "<=", ">", ">="})


class Conditions:
    """Answers about the guards of one agent."""

    def __init__(self, model: AgentModel) -> None:
        self._domains = Domains(model)

    def can_be(self, rule: Rule, truth: bool) -> bool:
        """False when the guard of a rule surely never is `truth`. A rule without guard is always true."""
        if rule.guard is None:
            return truth
        view = self._domains.seen_by(rule)
        if self._is_plain(rule.guard, view):
            return True
        ways = terms(rule.guard, view.names, truth)
        return ways is None or any(self._is_possible(way, view) for way in ways)

    def can_hold_without(self, rule: Rule, guard: Expression) -> bool:
        """False when the guard of a rule is surely never true while `guard`, read as the rule reads, is false."""
        view = self._domains.seen_by(rule)
        ours = [()] if rule.guard is None else terms(rule.guard, view.names)
        theirs = terms(guard, view.names, False)
        if ours is None or theirs is None:
            return True
        return any(self._is_possible(one + other, view) for one in ours for other in theirs)

    def subjects(self, rule: Rule) -> frozenset[str]:
        """What a guard depends on: subjects and whole conditions; empty without guard."""
        if rule.guard is None:
            return frozenset()
        names = self._domains.seen_by(rule).names
        return frozenset(each.key if isinstance(each, Whole) else each.subject for each in leaves(rule.guard, names))

    def strangers(self, rule: Rule) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each word of a guard that its subject cannot hold, with the words that it can."""
        view = self._domains.seen_by(rule)
        for each in leaves(rule.guard, view.names) if rule.guard is not None else ():
            domain = view.domain(each.subject) if isinstance(each, Literal) else None
            if isinstance(each, Literal) and isinstance(domain, Values):
                words = tuple(value.name for value in domain.values if isinstance(value, Word))
                yield from ((constant.name, words) for constant in _constants(each) if isinstance(constant, Word))

    def _is_plain(self, guard: Expression, view: View) -> bool:
        """True when every leaf is about something else and can be true and false: so can the guard.

        WHY: nearly all guards are plain, and then no value needs to be tried.
        """
        seen: set[str] = set()
        for each in leaves(guard, view.names):
            about = each.key if isinstance(each, Whole) else each.subject
            if about in seen or (isinstance(each, Literal) and not _splits(each, view.domain(about))):
                return False
            seen.add(about)
        return True

    def _is_possible(self, way: Term, view: View) -> bool:
        wholes: dict[str, bool] = {}
        by_subject: dict[str, list[Literal]] = defaultdict(list)
        for each in way:
            if isinstance(each, Literal):
                by_subject[each.subject].append(each)
            elif wholes.setdefault(each.key, each.holds) is not each.holds:
                return False
        return all(_has_witness(literals, view.domain(subject)) for subject, literals in by_subject.items())


def _splits(literal: Literal, domain: Domain | None) -> bool:
    """True when some values of the domain surely make the literal true, and others false."""
    constant = literal.constant
    if literal.op == "is" or domain is None:
        return constant != ()
    if isinstance(domain, Range):
        if not isinstance(constant, int | float):
            return False
        strictly_inside = domain.low < constant < domain.high
        return strictly_inside or (literal.op in ("==", "!=") and domain.low <= constant <= domain.high)
    if literal.op not in ("==", "!=") or len(domain.values) < 2:
        return False
    if isinstance(constant, Word) and constant.name.lower() in _BOOLEAN_WORDS and True in domain.values:
        return True
    return constant in domain.values


def _has_witness(literals: list[Literal], domain: Domain | None) -> bool:
    """True when some value makes all literals about one subject what they are to be."""
    constants = [constant for literal in literals for constant in _constants(literal)]
    return any(
        all(_truth(literal, value) is literal.holds for literal in literals) for value in _candidates(constants, domain)
    )


def _constants(literal: Literal) -> tuple[Constant, ...]:
    constant = literal.constant
    if constant is None:
        return ()
    return constant if isinstance(constant, tuple) else (constant,)


def _candidates(constants: Iterable[Constant], domain: Domain | None) -> Iterator[Any]:
    """Yield values of every kind that the constants can tell apart."""
    from agentl.values import Symbol, rank
    from agentl.values.ordinal import RANKS

    def value(constant: Constant | bool) -> Any:
        return Symbol(constant.name) if isinstance(constant, Word) else constant

    if isinstance(domain, Values):
        yield from map(value, domain.values)
        return
    constants = tuple(constants)
    numbers = [float(constant) for constant in constants if isinstance(constant, int | float)]
    if isinstance(domain, Range):
        yield from (
            point for point in _points([*numbers, domain.low, domain.high]) if domain.low <= point <= domain.high
        )
        yield from map(value, domain.others)
        return
    yield from (True, False, Symbol("another word"), "another text", [], None)
    yield from map(value, constants)
    yield from _points([*numbers, 0.0])
    if any(rank(value(constant)) is not None for constant in constants):
        yield from map(Symbol, RANKS)


def _points(numbers: Iterable[float]) -> list[float]:
    """The numbers, and one below, between and above them."""
    ordered = sorted({number for number in numbers if isfinite(number)})
    between = [(low + high) / 2 for low, high in pairwise(ordered)]
    ends = [ordered[0] - 1, ordered[-1] + 1] if ordered else []
    return [*ordered, *between, *ends]


def _truth(literal: Literal, value: Any) -> bool | None:
    """What the evaluator of policy guards says of `value op constant` (semantics.md §5, decision 10)."""
    from agentl.logic.truth import ORDER, contains, equal, hides_a_match, orderable, truthy
    from agentl.values import Symbol

    def other(constant: Constant) -> Any:
        return Symbol(constant.name) if isinstance(constant, Word) else constant

    if literal.op == "is":
        return truthy(value)
    if literal.op == "IN":
        listed = [other(constant) for constant in _constants(literal)]
        return True if contains(value, listed) else None if hides_a_match(value, listed) else False
    (constant,) = _constants(literal)
    if literal.op in _ORDERINGS:
        pair = orderable(value, other(constant))
        return None if pair is None else ORDER[literal.op](*pair)
    return equal(value, other(constant)) is (literal.op == "==")
