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


def rounded(score: float) -> float:
    """A score with 12 significant digits: the rest may differ between machines (decision 15)."""
    return float(f"{score:.12g}") if math.isfinite(score) else score
