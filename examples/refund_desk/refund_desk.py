"""The host of refund_desk.agent: four claims, a till, an outbox and a colleague.

Everything it does to the world is one line of JSON in the file $AGENTL_EFFECTS (default: effects.jsonl here), so that
effects can be counted from outside and the world is the same for a process that starts again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from agentl.kernel import current_action

BUDGET = 1500
APPROVED_UP_TO = 500
CLAIMS: list[dict[str, Any]] = [
    {"id": "c-101", "customer": "amina", "amount": 18},
    {"id": "c-102", "customer": "bela", "amount": 240},
    {"id": "c-103", "customer": "chidi", "amount": 900},
    {"id": "c-104", "customer": "dora", "amount": 35},
]


class Effects:
    """The lines written so far; a new one is on disk before the tool returns."""

    def __init__(self) -> None:
        self.path = Path(os.environ.get("AGENTL_EFFECTS", "effects.jsonl"))

    def of(self, tool: str) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        lines = map(json.loads, self.path.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["tool"] == tool]

    def add(self, tool: str, **what: object) -> None:
        key = current_action().idempotency_key
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool": tool, "key": key, **what}) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def has(self, tool: str, key: str) -> bool:
        return any(line["key"] == key for line in self.of(tool))


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

    host.sensors["desk.claims"] = open_claims
    host.sensors["desk.open"] = lambda: len(open_claims())
    host.sensors["budget.left"] = lambda: BUDGET - sum(line["amount"] for line in effects.of("refund"))

    def approve(request: Any) -> bool:
        return bool(request.args["amount"] <= APPROVED_UP_TO)

    host.approver = approve

    @host.tool("refund", idempotent=True)
    def refund(id: str, amount: float, to: str) -> dict[str, Any]:
        if not effects.has("refund", current_action().idempotency_key):
            effects.add("refund", id=id, amount=amount, to=to)
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
        return {"taken": Symbol("yes")}

    return host
