"""What a host promises about an interrupted call."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting import Host, promise_of


@pytest.mark.parametrize(
    ("idempotent", "reconciler", "promise"),
    [(False, False, "none"), (True, False, "idempotent"), (False, True, "reconcile"), (True, True, "both")],
)
def test_promise_follows_what_was_registered(idempotent: bool, reconciler: bool, promise: str) -> None:
    host = Host()
    host.tool("pay", idempotent=idempotent)(print)
    if reconciler:
        host.reconciler("pay")(print)
    assert promise_of(host, "pay") == promise
    assert promise_of(host, "other") == "none"


def test_a_host_of_another_make_promises_by_what_it_has() -> None:
    class Bare:
        pass

    class Reconciling:
        idempotent_tools = ("pay",)

        def reconcile(self, name: str, args: dict[str, Any], context: object) -> None: ...

    assert promise_of(Bare(), "pay") == "none"
    assert promise_of(Reconciling(), "pay") == "both"
    assert promise_of(Reconciling(), "other") == "reconcile"
