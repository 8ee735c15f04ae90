"""`agentl.kernel.testing.dispatch` runs a tool the way a run would."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting import Host
from agentl.kernel import current_action
from agentl.kernel.testing import dispatch


def test_a_tool_runs_under_a_permit_with_a_key() -> None:
    host = Host()

    @host.tool("pay")
    def pay(amount: int) -> dict[str, Any]:
        action = current_action()
        assert action is not None
        return {"amount": amount, "key": action.idempotency_key, "attempt": action.attempt}

    result = dispatch(host, "pay", {"amount": 3})
    assert (result["amount"], len(result["key"]), result["attempt"]) == (3, 32, 1)
    assert dispatch(host, "pay", {"amount": 3})["key"] == result["key"]


def test_a_sub_agent_runs_with_kind_delegate_and_an_unknown_one_is_a_key_error() -> None:
    host = Host()
    host.subagent("auditor")(lambda payload: {"seen": payload["path"]})
    assert dispatch(host, "auditor", {"path": 1}, kind="delegate") == {"seen": 1}
    with pytest.raises(KeyError):
        dispatch(host, "nobody", {}, kind="delegate")
    with pytest.raises(KeyError):
        dispatch(host, "nobody")


def test_what_cannot_be_written_down_is_said() -> None:
    with pytest.raises(ValueError, match="cannot be isolated"):
        dispatch(Host(), "pay", {"x": object()})
