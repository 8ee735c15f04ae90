"""Spending: what models have cost in a run, and the budget for it; both survive a resume."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from agentl.durable.options import Settings

TOKENS = ("input_tokens", "output_tokens")


class Spending:
    """Tokens and money so far, counted from the `usage` of journal entries, served or just written."""

    def __init__(self) -> None:
        self.tokens = 0
        self.cost = Decimal(0)

    def add(self, usage: Mapping[str, Any] | None) -> None:
        """Count what one answer reports: `input_tokens`, `output_tokens`, `cost` (money, as text or number)."""
        if not usage:
            return
        for name in TOKENS:
            count = usage.get(name)
            if isinstance(count, int) and not isinstance(count, bool) and count > 0:
                self.tokens += count
        self.cost += _money(usage.get("cost"))

    def over(self, options: Settings) -> str:
        """Which budget is used up, for the journal; "" while there is some left."""
        if options.max_tokens is not None and self.tokens >= options.max_tokens:
            return f"{self.tokens} of {options.max_tokens} tokens are used"
        if options.max_cost is not None and self.cost >= Decimal(str(options.max_cost)):
            return f"{self.cost} of {options.max_cost} is spent"
        return ""


def _money(value: object) -> Decimal:
    if value is None or isinstance(value, bool):
        return Decimal(0)
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        return Decimal(0)
    return amount if amount.is_finite() and amount > 0 else Decimal(0)
