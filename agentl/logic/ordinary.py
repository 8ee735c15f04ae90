"""Two-valued logic: the ordinary, strict and evidence regimes (semantics.md §4.2, §5, §19)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agentl.ir.expressions import And, Comparison, Expression, Not, Or
from agentl.logic.errors import Unknown
from agentl.logic.expressions import value_of
from agentl.logic.regime import Reading, Regime, Value
from agentl.logic.scope import Scope
from agentl.logic.truth import ORDER, comparable, contains, equal, is_container, truthy
from agentl.values import UNDEFINED

Comparer = Callable[[Any, Any], bool]


def ordinary_value(expr: Expression, reading: Reading) -> Value:
    """Closure giving the value of an expression; logical ones give booleans, with short circuit."""
    return value_of(expr, reading, _logic)


def _logic(expr: Expression, reading: Reading) -> Value:
    if isinstance(expr, Comparison):
        return _comparison(
            ordinary_value(expr.left, reading), ordinary_value(expr.right, reading), comparer(expr.op, reading.regime)
        )
    if isinstance(expr, Not):
        return _negated(ordinary_value(expr.operand, reading))
    assert isinstance(expr, And | Or)
    items = [ordinary_value(item, reading) for item in expr.items]
    return _all_of(items) if isinstance(expr, And) else _any_of(items)


def _comparison(left: Value, right: Value, compare: Comparer) -> Value:
    return lambda scope: compare(left(scope), right(scope))


def _negated(operand: Value) -> Value:
    return lambda scope: not truthy(operand(scope))


def _all_of(items: Sequence[Value]) -> Value:
    def conjunction(scope: Scope) -> bool:
        for item in items:  # noqa: SIM110 - a generator costs more than the loop
            if not truthy(item(scope)):
                return False
        return True

    return conjunction


def _any_of(items: Sequence[Value]) -> Value:
    def disjunction(scope: Scope) -> bool:
        for item in items:  # noqa: SIM110 - as above
            if truthy(item(scope)):
                return True
        return False

    return disjunction


def comparer(op: str, regime: Regime) -> Comparer:
    """The comparison of two values in one of the two-valued regimes; in EVIDENCE it raises Unknown where 1.10 notes."""
    if regime is Regime.EVIDENCE:
        return _EVIDENCE[op]
    return _strictly_unequal if op == "!=" and regime is Regime.STRICT else _ORDINARY[op]


def _unequal(left: object, right: object) -> bool:
    if left is UNDEFINED and right is UNDEFINED:
        return False
    return not equal(left, right)


def _strictly_unequal(left: object, right: object) -> bool:
    return left is not UNDEFINED and right is not UNDEFINED and not equal(left, right)


def _inside(item: object, container: object) -> bool:
    if item is UNDEFINED or not is_container(container):
        return False
    return contains(item, container) if isinstance(item, str) or not isinstance(container, str) else False


def _ordering(op: str) -> Comparer:
    order = ORDER[op]

    def compare(left: object, right: object) -> bool:
        pair = comparable(left, right)
        return pair is not None and order(*pair)

    return compare


def _noted(compare: Comparer, applies: Callable[[object, object], bool]) -> Comparer:
    def noting(left: object, right: object) -> bool:
        if left is UNDEFINED or right is UNDEFINED or not applies(left, right):
            raise Unknown("the comparison has no answer")
        return compare(left, right)

    return noting


_ORDINARY: dict[str, Comparer] = {"==": equal, "!=": _unequal, "IN": _inside, **{op: _ordering(op) for op in ORDER}}
_EVIDENCE: dict[str, Comparer] = {
    "==": _noted(equal, lambda left, right: True),
    "!=": _noted(_unequal, lambda left, right: True),
    "IN": _noted(_inside, lambda left, right: is_container(right)),
    **{op: _noted(_ORDINARY[op], lambda left, right: comparable(left, right) is not None) for op in ORDER},
}
