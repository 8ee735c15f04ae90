"""The host of wire.agent: the bank at $AGENTL_BANK, called without a key, so that it books whatever it is sent."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.request import Request, urlopen

from agentl import Host, Symbol


def post(path: str, body: dict[str, Any]) -> Any:
    address = os.environ.get("AGENTL_BANK", "http://127.0.0.1:8731")
    request = Request(address + path, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


def build() -> Host:
    host = Host()
    host.sensors["deposit.amount"] = lambda: 900
    host.sensors["deposit.payee"] = lambda: "Harbour Rentals"

    @host.tool("wire")
    def wire(amount: float, to: str) -> dict[str, Any]:
        post("/transfers", {"amount": amount, "to": to})
        return {"status": Symbol("booked")}

    @host.tool("tell")
    def tell(text: str) -> dict[str, Any]:
        post("/messages", {"text": text, "id": "deposit"})
        return {"sent": Symbol("yes")}

    return host
