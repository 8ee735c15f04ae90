"""Sub-agents are handed out guarded."""

from __future__ import annotations

import pytest

from agentl.hosting import Host
from agentl.hosting.subagents import Subagents
from agentl.kernel import PermitError, current_action
from agentl.kernel.testing import dispatch


def test_getting_one_gives_what_demands_a_permit() -> None:
    subagents = Subagents(auditor=lambda payload: payload)
    for handed in (subagents["auditor"], subagents.get("auditor")):
        assert handed is not None
        with pytest.raises(PermitError):
            handed({"a": 1})
    assert next(iter(subagents.values()))({"a": 1}) == {"a": 1}


def test_a_plain_dict_given_to_a_host_is_guarded_too() -> None:
    host = Host()
    host.subagents = {"auditor": lambda payload: payload}
    with pytest.raises(PermitError):
        host.subagents["auditor"]({"a": 1})
    kept = host.subagents
    host.subagents = kept
    assert host.subagents is kept


def test_an_unknown_one_is_a_key_error_or_none() -> None:
    subagents = Subagents()
    with pytest.raises(KeyError):
        subagents["auditor"]
    assert subagents.get("auditor") is None
    assert subagents.get("auditor", 5) == 5


def test_it_runs_under_a_delegate_permit_for_exactly_this_payload() -> None:
    host = Host()

    @host.subagent("auditor")
    def auditor(payload: dict[str, object]) -> object:
        action = current_action()
        assert action is not None and action.kind == "delegate"
        return payload["mail.body"]

    assert dispatch(host, "auditor", {"mail.body": "x"}, kind="delegate") == "x"
    with pytest.raises(KeyError):
        dispatch(host, "auditor", {"mail.body": "x"})
