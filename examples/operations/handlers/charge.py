"""The card company: it does not know a key again, but can be asked what became of a charge."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from agentl import NOT_EXECUTED, NotApplied
from agentl.kernel import ActionContext, current_action


def charge(amount: float, room: str) -> dict[str, Any]:
    """Take the money: a line in the book, whatever stood there before."""
    action = current_action()
    assert action is not None
    if amount <= 0:
        raise NotApplied("nothing to charge")
    world = Path(os.environ["STAY_WORLD"])
    receipt = f"receipt-{len(_charges(world)) + 1}"
    line = {"key": action.idempotency_key, "receipt": receipt, "amount": amount, "room": room}
    with (world / "charges.jsonl").open("a", encoding="utf-8") as book:
        book.write(json.dumps(line) + "\n")
    (world / "answered-charge").touch()
    while (world / "slow-charge").exists():  # a company that is slow to answer
        time.sleep(0.02)
    return {"receipt": receipt}


def reconcile_charge(given: dict[str, Any], action: ActionContext) -> Any:
    """What became of a charge: its receipt, or the word that it never was and never will be."""
    found = [line for line in _charges(Path(os.environ["STAY_WORLD"])) if line["key"] == action.idempotency_key]
    return {"receipt": found[0]["receipt"]} if found else NOT_EXECUTED


def _charges(world: Path) -> list[dict[str, Any]]:
    book = world / "charges.jsonl"
    return [json.loads(line) for line in book.read_text(encoding="utf-8").splitlines()] if book.exists() else []
