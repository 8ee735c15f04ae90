"""The host of payment_desk.agent: six invoices, a register of suppliers, a bank, an outbox and an accountant's pile.

The world is a file of effects (`examples/effects.py`).
"""

from __future__ import annotations

from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from examples.effects import Effects

DAILY_LIMIT = 6000
SUPPLIERS = {"Atelier Ndiaye": "FR76-3000-1", "Paper & Co": "FR76-3000-2", "Cargo Nord": "DE12-5001-9"}
# number: supplier, amount, account on the invoice. The third names an account that is not the supplier's, the fourth
# is more than this desk may pay, the fifth would go over the limit of the day, and the approver refuses the sixth.
INVOICES: dict[str, tuple[str, float, str]] = {
    "inv-301": ("Atelier Ndiaye", 1250, "FR76-3000-1"),
    "inv-302": ("Paper & Co", 89.5, "FR76-3000-2"),
    "inv-303": ("Cargo Nord", 2400, "LT99-6666-6"),
    "inv-304": ("Cargo Nord", 5200, "DE12-5001-9"),
    "inv-305": ("Atelier Ndiaye", 4900, "FR76-3000-1"),
    "inv-306": ("Paper & Co", 13, "FR76-3000-2"),
}


def build() -> Host:
    host, effects = Host(), Effects()

    def due() -> list[str]:
        done = {line["number"] for line in effects.of("transfer", "set_aside")}
        return [number for number in INVOICES if number not in done]

    host.sensors["desk.numbers"] = due
    host.sensors["desk.due"] = lambda: len(due())
    host.sensors["account.frozen"] = lambda: Symbol("no")
    host.sensors["account.daily_limit"] = lambda: DAILY_LIMIT
    host.sensors["account.paid_today"] = lambda: sum(line["amount"] for line in effects.of("transfer"))
    host.approver = lambda request: request.args["number"] != "inv-306"

    @host.tool("read_invoice", idempotent=True)
    def read_invoice(number: str) -> dict[str, Any]:
        supplier, amount, account = INVOICES[number]
        return {"read": Symbol(number), "supplier": supplier, "amount": amount, "account": account}

    @host.tool("look_up_supplier", idempotent=True)
    def look_up_supplier(supplier: str, account: str) -> dict[str, Any]:
        if SUPPLIERS.get(supplier) != account:
            raise ValueError(f"{account} is not the account of {supplier}")  # raising attests nothing
        return {"known": Symbol("yes")}

    @host.tool("transfer", idempotent=True)
    def transfer(number: str, amount: float, account: str) -> dict[str, Any]:
        effects.add_once("transfer", number=number, amount=amount, account=account)
        return {"booked": Symbol(number)}

    @host.tool("advise")
    def advise(number: str, text: str) -> dict[str, Any]:
        effects.add("advise", number=number, text=text)
        return {"sent": Symbol("yes")}

    @host.reconciler("advise", after_s=0)
    def was_advised(args: dict[str, Any], context: Any) -> Any:
        return {"sent": Symbol("yes")} if effects.has("advise", context.idempotency_key) else NOT_EXECUTED

    @host.tool("set_aside", idempotent=True)
    def set_aside(number: str, reason: str) -> dict[str, Any]:
        effects.add_once("set_aside", number=number, reason=reason)
        return {"aside": Symbol(number)}

    return host
