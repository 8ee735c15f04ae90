"""A model's answer becomes a value of the declared type, inside the declared domain (semantics.md §14.1, §14.2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentl.logic.truth import equal
from agentl.values import UNDEFINED, Symbol

_TRUE = frozenset({"true", "yes", "on", "1", "oui", "vrai"})
_FALSE = frozenset({"false", "no", "off", "0", "non", "faux", "", "none", "null"})


def coerce(type_name: str, raw: Any) -> Any:
    """Return the answer as a value of the type, UNDEFINED when it is none. Types are named as in tables.TYPES."""
    if raw is None or raw is UNDEFINED or not _is_finite(raw):
        return UNDEFINED
    convert = _CONVERSIONS.get(type_name)
    if convert is None:
        return raw
    try:
        value = convert(raw)
    except (ValueError, TypeError, OverflowError):
        return UNDEFINED
    return value if _is_finite(value) else UNDEFINED


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _plain(raw: Any) -> Any:
    return raw.name if isinstance(raw, Symbol) else raw


def _number(raw: Any) -> float:
    if isinstance(raw, bool):
        raise TypeError("a boolean is no number")
    return float(_plain(raw))


def _bool(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, (int, float)):
        return raw != 0
    word = str(_plain(raw)).strip().lower()
    if word not in _TRUE | _FALSE:
        raise ValueError(word)
    return word in _TRUE


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "Number": _number,
    "Float": _number,
    "Int": lambda raw: int(_plain(raw)),
    "Bool": _bool,
    "Boolean": _bool,
    "String": str,
    "Symbol": lambda raw: Symbol(str(raw)),
}


@dataclass(frozen=True, slots=True)
class Range:
    """A numeric domain from `low` to `high`, both inside; `whole` for the type Int."""

    low: float
    high: float
    whole: bool = False

    def holds(self, value: Any) -> bool:
        """Whether a value is a finite number inside."""
        return _is_number(value) and self.low <= value <= self.high

    def instead(self, value: Any) -> Any:
        """What stands for a value outside when there is no DEFAULT: the nearest bound, for no number UNDEFINED."""
        if not _is_number(value):
            return UNDEFINED
        if value < self.low:
            return math.ceil(self.low) if self.whole else self.low
        return math.floor(self.high) if self.whole else self.high

    def accepts_default(self, default: Any) -> bool:
        """A DEFAULT outside the range stands for nothing."""
        return self.holds(default)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A domain of listed values. The last one stands for every answer that is none of them: list the safest last."""

    type_name: str
    items: tuple[Any, ...]

    def holds(self, value: Any) -> bool:
        """Whether a value is listed; a domain without items bounds nothing."""
        return not self.items or any(_same(value, item) for item in self.items)

    def instead(self, value: Any) -> Any:
        """What stands for a value that is not listed when there is no DEFAULT: the last item, as the type has it."""
        last = self.items[-1]
        typed = coerce(self.type_name, last)
        return last if typed is UNDEFINED else typed

    def accepts_default(self, default: Any) -> bool:
        """A DEFAULT counts also when it is not listed."""
        return True


Domain = Range | Enumeration


def _same(value: Any, item: Any) -> bool:
    return value is not UNDEFINED and (str(value) == str(item) or equal(value, item))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
