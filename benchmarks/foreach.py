"""A FOREACH with a governed call an item, in memory, against the bare Python loop with the checks written by hand.

The floor calls the same function under the same rules: an unknown state or an amount over the bound is refused, a
suspended customer too, the amount has to be a number and the receipt a text. It keeps no trace, no labels, no permits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from agentl.durable.options import RunOptions
from agentl.durable.runtime import Runtime
from agentl.hosting.host import Host
from agentl.syntax.parser import parse_source
from benchmarks.table import Table

ITEMS = 10_000
ROUNDS = 3
BOUND = 100
REFUSED_EVERY = 50  # one item in so many is over the bound

PROGRAM = f"""AGENT desk {{
    OBSERVE {{ refunds.list  desk.state }}
    TOOL refund {{ INPUT {{ id: Int  amount: Number }} OUTPUT {{ receipt: String }} RISK LOW }}
    POLICY {{
        DEFAULT DENY
        ALLOW refund WHEN desk.state == open
        NEVER refund WHEN amount > {BOUND}
        DENY refund WHEN desk.state == suspended
    }}
    LOOP MAX 1 {{
        OBSERVE UPDATE_BELIEFS
        FOREACH item IN refunds.list MAX {ITEMS} {{ refund(id = item.id, amount = item.amount) }}
    }}
}}"""

Item = dict[str, int]


class Desk:
    """The outside: it counts what was paid."""

    def __init__(self) -> None:
        self.paid = 0

    def refund(self, id: int, amount: float) -> dict[str, str]:
        self.paid += 1
        return {"receipt": f"r-{id}"}


def items() -> list[Item]:
    return [{"id": n, "amount": BOUND + 1 if n % REFUSED_EVERY == 0 else n % BOUND} for n in range(ITEMS)]


def governed(given: list[Item]) -> tuple[int, float]:
    """Payments made and seconds of processor, of the run alone."""
    desk, host = Desk(), Host()
    host.sensors["refunds.list"] = lambda: given
    host.sensors["desk.state"] = lambda: "open"
    host.tools["refund"] = desk.refund
    runtime = Runtime(parse_source(PROGRAM).agents[0], host, options=RunOptions(trace_keep=100))
    return measured(runtime.run, desk)


def by_hand(given: list[Item]) -> tuple[int, float]:
    desk = Desk()
    return measured(lambda: bare_loop(given, desk.refund, {"desk.state": "open"}), desk)


def bare_loop(given: list[Item], refund: Callable[..., Any], world: dict[str, str]) -> list[str]:
    """What a careful person writes without the language."""
    receipts = []
    for item in given:
        number, amount = item.get("id"), item.get("amount")
        if not isinstance(number, int) or not isinstance(amount, (int, float)) or isinstance(amount, bool):
            continue
        if amount > BOUND or world.get("desk.state") == "suspended" or world.get("desk.state") != "open":
            continue
        result = refund(id=number, amount=amount)
        if isinstance(result, dict) and isinstance(result.get("receipt"), str):
            receipts.append(result["receipt"])
    return receipts


def measured(work: Callable[[], object], desk: Desk) -> tuple[int, float]:
    start = time.process_time()
    work()
    return desk.paid, time.process_time() - start


def main() -> Table:
    given = items()
    bare = [by_hand(given) for _ in range(ROUNDS)]
    ours = [governed(given) for _ in range(ROUNDS)]
    assert {paid for paid, _ in bare + ours} == {ITEMS - ITEMS // REFUSED_EVERY}, "both pay the same"
    floor, best = min(seconds for _, seconds in bare), min(seconds for _, seconds in ours)
    columns = ("work", "items a second", "µs an item", "× floor")
    table = Table(f"FOREACH over {ITEMS:,} items, a governed call each", columns)
    table.add("Python loop with checks by hand (floor)", f"{ITEMS / floor:,.0f}", floor / ITEMS * 1e6, 1.0)
    table.add("FOREACH under the policy", f"{ITEMS / best:,.0f}", best / ITEMS * 1e6, best / floor)
    return table


if __name__ == "__main__":
    print(main().render())
