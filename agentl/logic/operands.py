"""Arithmetic (semantics.md §5.1): everything becomes a float, or the evaluation is an error."""

from __future__ import annotations

from typing import Any

from agentl.logic.errors import EvalError
from agentl.values import UNDEFINED, Symbol


def number(value: Any) -> float:
    """Return a value as a float. Raises EvalError for what is no number or numeric text."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise EvalError(f"{kind_of(value)} is not a number") from None


def quotient(left: float, right: float) -> float:
    """Division; by zero it is +infinity whatever is divided (semantics.md §5.1)."""
    return left / right if right else float("inf")


def kind_of(value: object) -> str:
    """Name the kind of a value for an error text, never the value itself; a symbol is a word of the program."""
    if isinstance(value, Symbol):
        return f"the symbol {value.name}" if value.name.isidentifier() and len(value.name) <= 40 else "a symbol"
    if value is UNDEFINED:
        return "an undefined value"
    if isinstance(value, str):
        return "a text"
    return f"a value of type {type(value).__name__}"
