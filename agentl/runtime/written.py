"""How values enter the digests of state and trace."""

from __future__ import annotations

import math
from typing import Any

from agentl.values import NotStorable, encode


def written(value: object) -> Any:
    """JSON data of a value. What no journal can hold (only a host's own hand can put it here) counts by its type."""
    try:
        return encode(value)
    except NotStorable as problem:
        return {"$unstorable": problem.type_name}


def approximate(value: object) -> Any:
    """As `written`, with every float rounded: for values that inference had a part in (decision 15)."""
    return written(_rounded_inside(value))


def _rounded_inside(value: Any) -> Any:
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_rounded_inside(item) for item in value)
    if isinstance(value, dict):
        return {key: _rounded_inside(item) for key, item in value.items()}
    return value


def rounded(score: float) -> float:
    """A score with 12 significant digits: the rest may differ between machines (decision 15)."""
    return float(f"{score:.12g}") if math.isfinite(score) else score
