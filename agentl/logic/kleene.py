"""Three-valued logic: policy guards and scenario EXPECT (semantics.md §4.1, policy.md §19, decision 10).

Closures here never raise, whatever goes wrong in a leaf is unknown, and they change nothing. So that both sides of AND
and OR are evaluated is kept by stopping only where the rest cannot change the answer: F for AND, T for OR, never U.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agentl.ir.expressions import And, Comparison, Expression, Not, Or, Path
from agentl.logic.errors import Unknown
from agentl.logic.expressions import value_of
from agentl.logic.leaves import fast_comparison
from agentl.logic.ordinary import ordinary_value
from agentl.logic.readers import read_side
from agentl.logic.regime import Reading, Test, Value
from agentl.logic.scope import Scope
from agentl.logic.truth import AFFIRMATIVE_WORDS, ORDER, Truth, contains, equal, hides_a_match, is_container, orderable
from agentl.logic.truth import truthy as truth_of
from agentl.values import UNDEFINED, Symbol

Comparer = Callable[[Any, Any], Truth]


def kleene_test(expr: Expression, reading: Reading) -> Test:
    """Closure giving True, False or None (unknown)."""
    if isinstance(expr, And):
        return _conjunction([kleene_test(item, reading) for item in expr.items])
    if isinstance(expr, Or):
        return _disjunction([kleene_test(item, reading) for item in expr.items])
    if isinstance(expr, Not):
        return _negation(kleene_test(expr.operand, reading))
    if isinstance(expr, Comparison):
        return _comparison(expr, reading)
    return _condition(_side(expr, reading), permits=reading.permits and reading.closed)


def _conjunction(items: Sequence[Test]) -> Test:
    if len(items) == 2:
        return _both(*items)

    def conjunction(scope: Scope) -> Truth:
        result: Truth = True
        for item in items:
            value = item(scope)
            if value is False:
                return False
            if value is None:
                result = None
        return result

    return conjunction


def _both(first: Test, second: Test) -> Test:
    def both(scope: Scope) -> Truth:
        left = first(scope)
        if left is False:
            return False
        right = second(scope)
        return right if left is True or right is False else None

    return both


def _disjunction(items: Sequence[Test]) -> Test:
    if len(items) == 2:
        return _either(*items)

    def disjunction(scope: Scope) -> Truth:
        result: Truth = False
        for item in items:
            value = item(scope)
            if value is True:
                return True
            if value is None:
                result = None
        return result

    return disjunction


def _either(first: Test, second: Test) -> Test:
    def either(scope: Scope) -> Truth:
        left = first(scope)
        if left is True:
            return True
        right = second(scope)
        return right if left is False or right is True else None

    return either


def _negation(operand: Test) -> Test:
    def negation(scope: Scope) -> Truth:
        value = operand(scope)
        return None if value is None else not value

    return negation


def _condition(value_at: Value, *, permits: bool) -> Test:
    def condition(scope: Scope) -> Truth:
        try:
            value = value_at(scope)
            if value is UNDEFINED:
                return None
            # WHY: `ALLOW t IF door.locked` with the symbol `no` opened the tool in 1.10 (decision 10).
            if permits and isinstance(value, Symbol | str):
                return True if str(value).lower() in AFFIRMATIVE_WORDS else None
            return truth_of(value)
        except Exception:
            return None

    return condition


def _comparison(expr: Comparison, reading: Reading) -> Test:
    compare = (_POLICY_COMPARERS if reading.closed else _COMPARERS)[expr.op]
    left = _side(expr.left, reading)
    fast = fast_comparison(expr, left, compare, reading)
    if fast is not None:
        return fast
    right = _side(expr.right, reading)

    def comparison(scope: Scope) -> Truth:
        try:
            one, other = left(scope), right(scope)
            if one is UNDEFINED or other is UNDEFINED:
                return None
            return compare(one, other)
        except Exception:
            return None

    return comparison


def _side(expr: Expression, reading: Reading) -> Value:
    if isinstance(expr, Path):
        return read_side(expr.path, reading)
    return value_of(expr, reading, _inner)


def _inner(expr: Expression, reading: Reading) -> Value:
    """A comparison or connective inside a value: 1.10 reads it two-valued, a policy guard keeps the unknown."""
    if not reading.closed:
        return ordinary_value(expr, reading)
    test = _all_known(expr, reading)

    def known(scope: Scope) -> bool:
        value = test(scope)
        if value is None:
            raise Unknown("a condition inside a value is unknown")
        return value

    return known


def _all_known(expr: Expression, reading: Reading) -> Test:
    """As `kleene_test`, but one unknown operand makes the whole unknown.

    Two-valued reading raises on an unknown operand that Kleene logic would outvote; the verdict must not become weaker.
    """
    if isinstance(expr, Not):
        return _negation(_all_known(expr.operand, reading))
    if not isinstance(expr, And | Or):
        return kleene_test(expr, reading)
    items = [_all_known(item, reading) for item in expr.items]
    decide = all if isinstance(expr, And) else any

    def all_known(scope: Scope) -> Truth:
        values = [item(scope) for item in items]
        return None if None in values else decide(values)

    return all_known


def _inside(item: object, container: object) -> Truth:
    return contains(item, container) if is_container(container) else None


def _policy_inside(item: object, container: object) -> Truth:
    if not is_container(container):
        return None
    if contains(item, container):
        return True
    return None if hides_a_match(item, container) or _has_gap(item) else False


def _has_gap(value: object) -> bool:
    return isinstance(value, list) and any(element is UNDEFINED for element in value)


def _policy_equal(left: object, right: object) -> Truth:
    # WHY: a list with an undefined element compares by identity, so absence would decide (policy.md §13, invariant 3).
    return None if _has_gap(left) or _has_gap(right) else equal(left, right)


def _policy_unequal(left: object, right: object) -> Truth:
    value = _policy_equal(left, right)
    return None if value is None else not value


def _ordering(op: str) -> Comparer:
    order = ORDER[op]

    def compare(left: object, right: object) -> Truth:
        pair = orderable(left, right)
        return None if pair is None else order(*pair)

    return compare


_COMPARERS: dict[str, Comparer] = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "IN": _inside,
    **{op: _ordering(op) for op in ORDER},
}
_POLICY_COMPARERS: dict[str, Comparer] = {
    **_COMPARERS,
    "==": _policy_equal,
    "!=": _policy_unequal,
    "IN": _policy_inside,
}
