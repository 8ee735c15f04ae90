"""A host need not inherit from Host (host-api.md §2)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting import call_with_timeout, check_host, options_of, promise_of
from agentl.kernel import Contract, PermitError, current_action, require_permit
from agentl.kernel.testing import dispatch


class Ledger:
    """Has what the runtime uses and nothing more."""

    def __init__(self) -> None:
        self.subagents = {"auditor": lambda payload: {"seen": payload}}
        self.booked: list[Any] = []

    def read(self, path: str) -> Any:
        return None

    def invoke(self, name: str, args: dict[str, Any]) -> Any:
        context = require_permit("invoke", name, args)
        self.booked.append((name, args, context.idempotency_key))
        return {"ok": True}

    def ask(self, question: str, reason: str = "") -> Any:
        return "yes"

    def approve(self, request: Any) -> Any:
        return "ok"

    def drain(self) -> list[Any]:
        return []


def test_its_calls_are_governed_like_any_others() -> None:
    ledger = Ledger()
    with pytest.raises(PermitError):
        ledger.invoke("pay", {"amount": 1})
    assert dispatch(ledger, "pay", {"amount": 1}) == {"ok": True}
    assert dispatch(ledger, "auditor", {"a": 1}, kind="delegate") == {"seen": {"a": 1}}
    ((name, args, key),) = ledger.booked
    assert (name, args, len(key)) == ("pay", {"amount": 1}, 32)


def test_it_promises_nothing_and_has_the_default_options() -> None:
    ledger = Ledger()
    assert promise_of(ledger, "pay") == "none"
    assert options_of(ledger, "pay").on_error == "failed" and options_of(ledger, "pay").timeout_s is None
    assert check_host(ledger, {"pay": Contract("pay", (("amount", "Int"),))}, ["pay"]) == ()


def test_its_calls_can_have_a_time_limit() -> None:
    assert call_with_timeout(current_action, 5).outcome() is None
