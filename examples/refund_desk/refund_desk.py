"""The host of refund_desk.agent: four claims, a till, an outbox and a colleague.

The world is a file of effects (`examples/effects.py`).
"""

from __future__ import annotations

from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from examples.effects import Effects

BUDGET = 1500
APPROVED_UP_TO = 500
CLAIMS: list[dict[str, Any]] = [
    {"id": "c-101", "customer": "amina", "amount": 18},
    {"id": "c-102", "customer": "bela", "amount": 240},
    {"id": "c-103", "customer": "chidi", "amount": 900},
    {"id": "c-104", "customer": "dora", "amount": 35},
]


def build() -> Host:
    host, effects = Host(), Effects()

    def ids(tool: str) -> set[str]:
        return {line["id"] for line in effects.of(tool)}

    def open_claims() -> list[dict[str, Any]]:
        paid, handed_over, answered = ids("refund"), ids("hand_over"), ids("answer_customer")
        return [
            {**claim, "paid": claim["id"] in paid, "handed_over": claim["id"] in handed_over}
            for claim in CLAIMS
            if claim["id"] not in answered
        ]

    def claim(field: str) -> Any:
        """A field of the first open claim; no reading when there is none."""
        waiting = open_claims()
        return waiting[0][field] if waiting else None

    host.sensors["desk.open"] = lambda: len(open_claims())
    host.sensors["claim.id"] = lambda: claim("id")
    host.sensors["claim.customer"] = lambda: claim("customer")
    host.sensors["claim.amount"] = lambda: claim("amount")
    host.sensors["claim.paid"] = lambda: claim("paid")
    host.sensors["claim.handed_over"] = lambda: claim("handed_over")
    host.sensors["budget.left"] = lambda: BUDGET - sum(line["amount"] for line in effects.of("refund"))

    def approve(request: Any) -> bool:
        return bool(request.args["amount"] <= APPROVED_UP_TO)

    host.approver = approve

    @host.tool("refund", idempotent=True)
    def refund(id: str, amount: float, to: str) -> dict[str, Any]:
        effects.add_once("refund", id=id, amount=amount, to=to)
        return {"claim": Symbol(id)}

    @host.tool("answer_customer")
    def answer_customer(id: str, text: str) -> dict[str, Any]:
        effects.add("answer_customer", id=id, text=text)
        return {"sent": Symbol("yes")}

    @host.reconciler("answer_customer", after_s=0)
    def was_answered(args: dict[str, Any], context: Any) -> Any:
        return {"sent": Symbol("yes")} if effects.has("answer_customer", context.idempotency_key) else NOT_EXECUTED

    @host.tool("hand_over")
    def hand_over(id: str, reason: str) -> dict[str, Any]:
        effects.add("hand_over", id=id, reason=reason)
        return {"taken": Symbol(id)}

    return host
