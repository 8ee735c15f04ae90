"""What values mean to conditions: truth, equality, order and membership (semantics.md §1.1, §5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from agentl.values import UNDEFINED, Symbol, rank

Truth = bool | None
"""True, False, or None for unknown."""

FALSY_WORDS = frozenset({"none", "false", "unknown", "null"})
YES_WORDS = frozenset({"yes", "true"})
NO_WORDS = frozenset({"no", "false"})
BOOLEAN_WORDS = YES_WORDS | NO_WORDS
AFFIRMATIVE_WORDS = frozenset({"yes", "true", "on"})

_LARGEST = 1.7976931348623157e308


def truthy(value: object) -> bool:
    """Truth of a value in a condition; a symbol is true unless it is one of four words (semantics.md §1.1)."""
    if isinstance(value, Symbol):
        return value.name.lower() not in FALSY_WORDS
    return bool(value)


def equal(left: object, right: object) -> bool:
    """Equality of the language (semantics.md §5.3): false when a side is UNDEFINED, symbols bridge to booleans."""
    if left is UNDEFINED or right is UNDEFINED:
        return False
    if isinstance(left, Symbol):
        return _symbol_equal(left, right)
    if isinstance(right, Symbol):
        return _symbol_equal(right, left)
    return bool(left == right)


def _symbol_equal(symbol: Symbol, other: object) -> bool:
    if isinstance(other, Symbol | str):
        return symbol == other
    if isinstance(other, bool):
        return symbol.name.lower() in (YES_WORDS if other else NO_WORDS)
    if other is None or isinstance(other, int | float):
        return symbol.name == str(other)
    return False


def orderable(left: object, right: object) -> tuple[float, float] | None:
    """Return what is compared in place of the two values: their ranks, or two finite numbers; else None.

    A symbol that is not on the scale never orders, whatever its text (semantics.md §4.1 rule 5).
    """
    left_rank, right_rank = rank(left), rank(right)
    if left_rank is not None and right_rank is not None:
        return left_rank, right_rank
    numbers = _as_number(left), _as_number(right)
    if numbers[0] is None or numbers[1] is None:
        return None
    if -_LARGEST <= numbers[0] <= _LARGEST and -_LARGEST <= numbers[1] <= _LARGEST:
        return numbers[0], numbers[1]
    return None


def comparable(left: object, right: object) -> tuple[float, float] | None:
    """As `orderable`, with the infinities and NaN of ordinary evaluation let through (semantics.md §5.2)."""
    left_rank, right_rank = rank(left), rank(right)
    if left_rank is not None and right_rank is not None:
        return left_rank, right_rank
    numbers = _as_number(left), _as_number(right)
    if numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]


def _as_number(value: Any) -> float | None:
    # WHY: a Symbol has no __float__, UNDEFINED neither; both end in the TypeError.
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def is_container(value: object) -> bool:
    """True for what IN can look into (semantics.md §4.1 rule 6)."""
    return isinstance(value, list | tuple | set | frozenset | dict | str)


def contains(item: object, container: Any) -> bool:
    """Membership of Python (semantics.md §5.4): no boolean bridge, dicts by key, a symbol is never inside a text.

    `container` satisfies `is_container`. Raises TypeError for a number inside a text and an unhashable item.
    """
    if isinstance(container, str) and isinstance(item, Symbol):
        return False
    return item in container


def hides_a_match(item: object, container: Any) -> bool:
    """True when not finding `item` proves nothing (policy.md §3, decision 10).

    That is so when an element is UNDEFINED, or when the equality of §5.3 would have bridged a boolean to a word where
    membership does not. Only asked when nothing in `container` equals `item`.
    """
    if isinstance(container, str):
        return False
    elements: Iterable[object] = container
    if isinstance(item, bool):
        return any(element is UNDEFINED or _is_word(element) for element in elements)
    if _is_word(item):
        return any(element is UNDEFINED or isinstance(element, bool) for element in elements)
    return any(element is UNDEFINED for element in elements)


def _is_word(value: object) -> bool:
    return isinstance(value, Symbol | str) and str(value).lower() in BOOLEAN_WORDS


ORDER: dict[str, Callable[[float, float], bool]] = {
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
}
