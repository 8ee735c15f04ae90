"""For tests of hosts: run a tool or sub-agent the way a run would, under a real permit (host-api.md §7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.kernel import dispatch as running
from agentl.kernel.gate import freeze, grant, judge
from agentl.kernel.request import ActionRequest, Decision, Identity, Kind, Refusal


class AllowEverything:
    """A decider for tests."""

    def decide(self, request: ActionRequest, scope: object, /) -> Decision:
        return Decision("ALLOWED", reason="a test allows it")


def dispatch(host: Any, name: str, args: Mapping[str, object] | None = None, *, kind: Kind = "invoke") -> Any:
    """Call `host.invoke(name, args)`, or with kind "delegate" the sub-agent, under a permit; return what it returns.

    No INPUT contract is applied. KeyError for what the host does not have, ValueError for arguments that cannot be
    written down; whatever the function raises comes through.
    """
    request = freeze(ActionRequest(name, args or {}, kind=kind))
    decision = request if isinstance(request, Refusal) else judge(request, AllowEverything(), None)
    if isinstance(request, Refusal) or isinstance(decision, Refusal):
        raise ValueError(str(decision))
    permit = grant(request, decision, identity=Identity("test", "test", "TEST", 1, 1), policy_digest="")
    if isinstance(permit, Refusal):
        raise ValueError(permit.text)
    with running.dispatch(permit) as copy:
        return host.invoke(name, copy) if kind == "invoke" else host.subagents[name](copy)
