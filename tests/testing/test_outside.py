"""Hosts that promise something else keep it, and the ledger counts what reached the world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentl.hosting.host import Host
from agentl.hosting.outcomes import NOT_EXECUTED
from agentl.hosting.promise import Promise, promise_of
from agentl.kernel.dispatch import ActionContext
from agentl.kernel.testing import dispatch
from agentl.testing.outside import Effect, Ledger, noting, promising
from agentl.values import Symbol

NEVER = ActionContext("invoke", "pay", "r:A:t1:a9", "unknown-key", 1)


def host() -> Host:
    made = Host()
    count = iter(range(1, 99))

    @made.tool("pay", idempotent=True)
    def pay(amount: int) -> dict[str, Any]:
        return {"receipt": Symbol(f"R-{next(count)}")}

    return made


@pytest.mark.parametrize("promise", ["idempotent", "reconcile", "both", "none"])
def test_host_promises_what_was_asked_for_and_keeps_it(promise: Promise) -> None:
    ledger = Ledger()
    made = promising(host(), promise, ledger)
    assert promise_of(made, "pay") == promise
    first, again = dispatch(made, "pay", {"amount": 3}), dispatch(made, "pay", {"amount": 3})
    keyed = promise in ("idempotent", "both")
    assert (first == again) == keyed
    assert len(ledger.effects) == (1 if keyed else 2)
    if promise in ("reconcile", "both"):
        (effect, *_) = ledger.effects
        known = ActionContext("invoke", "pay", effect.action_id, effect.key, 1)
        assert made.reconcile("pay", {"amount": 3}, known) == first
        assert made.reconcile("pay", {"amount": 3}, NEVER) is NOT_EXECUTED


def test_host_as_written_is_only_noted_and_heard_before_each_effect() -> None:
    ledger, heard = Ledger(), list[Effect]()
    made = noting(host(), ledger, heard.append)
    dispatch(made, "pay", {"amount": 3})
    assert promise_of(made, "pay") == "idempotent"
    assert [effect.result for effect in heard] == [None]
    assert ledger.counts() == {("pay", heard[0].args): 1}
    assert ledger.keys() == {("pay", heard[0].key): 1}


def test_ledger_in_a_file_outlives_its_process(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    assert Ledger(path).effects == []
    dispatch(promising(host(), "none", Ledger(path)), "pay", {"amount": 3})
    (effect,) = Ledger(path).effects
    assert (effect.tool, effect.result, effect.attempt) == ("pay", {"receipt": Symbol("R-1")}, 1)
    assert Ledger(path).found("pay", effect.key) == effect
