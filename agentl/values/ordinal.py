"""The ordinal scale of risk words (semantics.md §1.2)."""

from __future__ import annotations

from agentl.values.symbol import Symbol

RANKS = {
    "NONE": 0,
    "INFO": 1,
    "LOW": 2,
    "MEDIUM": 3,
    "MODERATE": 3,
    "HIGH": 4,
    "SEVERE": 5,
    "CRITICAL": 6,
    "UNSET": 7,
}


def rank(value: object) -> int | None:
    """Return the rank of a symbol or text whose upper-cased form is on the scale, else None."""
    if isinstance(value, Symbol):
        return RANKS.get(value.name.upper())
    if isinstance(value, str):
        return RANKS.get(value.upper())
    return None
