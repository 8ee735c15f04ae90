"""The host of payments.agent: one bank, one mailer, reached over HTTP at $AGENTL_BANK."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from agentl.kernel import current_action

INVOICE = {"number": "INV-2031", "amount": 250, "payee": "Atelier Ndiaye"}


def call(path: str, body: dict[str, Any] | None = None, key: str = "") -> Any:
    """Send one request to the bank and return its JSON answer; raises when it does not answer or refuses."""
    address = os.environ.get("AGENTL_BANK", "http://127.0.0.1:8731")
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    with urlopen(Request(address + path, data=data, headers=headers), timeout=30) as answer:
        return json.load(answer)


class Bank:
    """The bank ignores a second request that carries the same key."""

    def transfer(self, amount: float, to: str, idempotency_key: str) -> dict[str, Any]:
        call("/transfers", {"amount": amount, "to": to}, key=idempotency_key)
        return {"status": Symbol("booked")}


class Mailer:
    """The mailer sends whatever it is given, twice if asked twice; but it can be asked what it has sent."""

    def send(self, text: str, message_id: str) -> None:
        call("/messages", {"text": text, "id": message_id})

    def exists(self, message_id: str) -> bool:
        return bool(call(f"/messages?id={quote(message_id)}"))


def build() -> tuple[Host, None]:
    host, bank, mailer = Host(), Bank(), Mailer()

    host.sensors["invoice.number"] = lambda: INVOICE["number"]
    host.sensors["invoice.amount"] = lambda: INVOICE["amount"]
    host.sensors["invoice.payee"] = lambda: INVOICE["payee"]
    host.sensors["account.frozen"] = lambda: Symbol("no")

    @host.tool("transfer", idempotent=True)
    def transfer(amount: float, to: str) -> dict[str, Any]:
        key = current_action().idempotency_key  # the same one after a crash
        return bank.transfer(amount, to, idempotency_key=key)

    @host.tool("notify")
    def notify(msg: str) -> dict[str, Any]:
        mailer.send(msg, message_id=current_action().idempotency_key)
        return {"sent": Symbol("yes")}

    @host.reconciler("notify")
    def notify_done(args: dict[str, Any], context: Any) -> Any:
        if mailer.exists(context.idempotency_key):
            return {"sent": Symbol("yes")}
        return NOT_EXECUTED

    return host, None
