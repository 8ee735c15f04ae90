"""The comparisons that guards are mostly made of, path against number or word, with their common cases inlined.

Each gives what the general comparison gives; whatever is not plain goes to it.
"""

from __future__ import annotations

from agentl.ir.expressions import Comparison
from agentl.logic.regime import Reading, Test


def fast_comparison(expr: Comparison, reading: Reading) -> Test | None:
    """A closure for a common shape, None for any other."""
    return None
