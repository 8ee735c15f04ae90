"""The host module of the seed, as printed, behind a preamble that defines only `bank` and `mailer` (decision 41)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agentl.hosting import NOT_EXECUTED, load_host, promise_of
from agentl.kernel import ActionContext
from agentl.kernel.testing import dispatch
from agentl.values import Symbol
from tests.durable.seed_host import PRINTED

PREAMBLE = """
class Bank:
    def __init__(self):
        self.booked = {}

    def transfer(self, amount, to, idempotency_key):
        self.booked.setdefault(idempotency_key, (amount, to))
        return {"receipt": f"bank-{len(self.booked)}"}


class Mailer:
    def __init__(self):
        self.sent = {}

    def send(self, msg, message_id):
        self.sent[message_id] = msg

    def exists(self, message_id):
        return message_id in self.sent


bank, mailer = Bank(), Mailer()
"""


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "payments.py").write_text(PREAMBLE + "\n\n" + PRINTED, encoding="utf-8")
    host, model = load_host(tmp_path / "payments.agent").assign(["payments"])["payments"]
    assert model is not None
    return host


def test_it_loads_and_promises_what_it_says(loaded: Any) -> None:
    assert promise_of(loaded, "transfer") == "idempotent"
    assert promise_of(loaded, "notify") == "reconcile"


def test_its_tools_run_under_a_permit_and_the_bank_sees_one_key(loaded: Any) -> None:
    for _ in range(2):
        assert dispatch(loaded, "transfer", {"amount": 250, "to": "ACME"}) == {"receipt": "bank-1"}
    assert dispatch(loaded, "notify", {"msg": "paid"}) == {"sent": Symbol("yes")}


def test_its_reconciler_asks_the_mailer(loaded: Any) -> None:
    dispatch(loaded, "notify", {"msg": "paid"})
    (key,) = sys.modules["agentl_host"].mailer.sent
    assert loaded.reconcile("notify", {}, ActionContext("invoke", "notify", "", key)) == {"sent": Symbol("yes")}
    assert loaded.reconcile("notify", {}, ActionContext("invoke", "notify", "", "other")) is NOT_EXECUTED
