"""The host of procurement.agent: a list of eight items, two offers for each, and a model that costs a little each time.

The world is a file of effects (`examples/effects.py`). `build()` gives the model; `budgeted.py` gives it a budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl import LLM, Host, Symbol
from examples.effects import Effects

BUDGET = 1400
APPROVED_UP_TO = 400
COST = "0.02"  # what one answer of the model costs
# item: cheap price, fast price, days until it is needed
OFFERS: dict[str, tuple[float, float, int]] = {
    "gloves": (12, 19, 9),
    "drill": (80, 95, 1),
    "saw": (340, 380, 20),
    "lathe": (820, 900, 30),
    "oil": (25, 31, 2),
    "bench": (210, 260, 14),
    "lamp": (38, 44, 3),
    "vice": (620, 700, 2),
}
SUPPLIERS = {"Toolhouse": 0, "Express": 1}  # the place of its price among the offers


class Weigher(LLM):
    """Takes the fast offer for what is needed within two days, unless it is dear, and says what it cost."""

    def __init__(self) -> None:
        super().__init__()
        self.last_usage: dict[str, Any] | None = None

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> dict[str, Any]:
        """A choice, from the numbers in the focus."""
        self.last_usage = {"input_tokens": 180, "output_tokens": 6, "cost": COST}
        focus = {name: float(value) for name, value in context["focus"].items()}
        cheap, fast = focus["ask_for_offers.cheap_price"], focus["ask_for_offers.fast_price"]
        is_urgent = focus["ask_for_offers.needed_days"] <= 2
        return {"take": "fast" if is_urgent and fast <= 1.25 * cheap else "cheap"}


def build() -> tuple[Host, LLM]:
    host, effects = Host(), Effects()

    def still_open() -> list[str]:
        done = {line["item"] for line in effects.of("order", "defer")}
        return [item for item in OFFERS if item not in done]

    host.sensors["list.items"] = still_open
    host.sensors["list.open"] = lambda: len(still_open())
    host.sensors["budget.total"] = lambda: BUDGET
    host.sensors["budget.left"] = lambda: BUDGET - sum(line["price"] for line in effects.of("order"))
    host.sensors["market.open"] = lambda: Symbol("yes")

    def approve(request: Any) -> bool:
        return bool(request.args["price"] <= APPROVED_UP_TO)

    host.approver = approve

    @host.tool("ask_for_offers", idempotent=True)
    def ask_for_offers(item: Symbol) -> dict[str, Any]:
        cheap, fast, days = OFFERS[str(item)]
        return {
            "item": item,
            "cheap_from": "Toolhouse",
            "cheap_price": cheap,
            "fast_from": "Express",
            "fast_price": fast,
            "needed_days": days,
        }

    @host.tool("check_supplier", idempotent=True)
    def check_supplier(supplier: str, price: float) -> dict[str, Any]:
        if price not in [offer[SUPPLIERS[supplier]] for offer in OFFERS.values()]:
            raise ValueError(f"{supplier} has no offer of {price}")  # raising attests nothing
        return {"listed": Symbol("yes")}

    @host.tool("order", idempotent=True)
    def order(item: Symbol, supplier: str, price: float) -> dict[str, Any]:
        effects.add_once("order", item=str(item), supplier=supplier, price=price)
        return {"ordered": item}

    @host.tool("defer", idempotent=True)
    def defer(item: Symbol, why: Symbol) -> dict[str, Any]:
        effects.add_once("defer", item=str(item), why=str(why))
        return {"deferred": item}

    return host, Weigher()
