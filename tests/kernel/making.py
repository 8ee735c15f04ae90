"""Contracts, requests and permits for the tests of the kernel."""

from __future__ import annotations

from typing import Any

from agentl.kernel.gate import MISSING, grant, judge, propose, propose_delegate
from agentl.kernel.permit import ExecutionPermit, Issuer
from agentl.kernel.request import ActionRequest, Contract, Decision, Identity, Refusal

TRANSFER = Contract("transfer", (("amount", "Number"), ("to", "String")), (("receipt", "String"),), "HIGH", ("bank",))
OPEN = Contract("open")  # an empty INPUT takes anything
HERE = Identity("r7", "r7", "DESK", 3, 1)


class Saying:
    """A decider that always says the same, and keeps what it was asked."""

    def __init__(self, decision: Any) -> None:
        self.decision = decision
        self.asked: list[ActionRequest] = []

    def decide(self, request: ActionRequest, scope: object, /) -> Decision:
        self.asked.append(request)
        if isinstance(self.decision, Exception):
            raise self.decision
        return self.decision  # type: ignore[no-any-return]


ALLOWED = Decision("ALLOWED")
DENIED = Decision("DENIED", "NEVER transfer", "NEVER", "the bank is closed")
ASKING = Decision("APPROVAL_REQUIRED", "REQUIRE APPROVAL FOR transfer", "REQUIRE_APPROVAL")


def proposed(contract: Contract = TRANSFER, **args: object) -> ActionRequest:
    request = propose(contract, args or {"amount": 40, "to": "ops"})
    assert isinstance(request, ActionRequest), request
    return request


def delegated(target: str, **payload: object) -> ActionRequest:
    request = propose_delegate(target, payload)
    assert isinstance(request, ActionRequest), request
    return request


def judged(request: ActionRequest, decision: Decision = ALLOWED) -> Decision:
    verdict = judge(request, Saying(decision), None)
    assert isinstance(verdict, Decision), verdict
    return verdict


def granted(
    request: ActionRequest,
    *,
    identity: Identity = HERE,
    issuer: Issuer | None = None,
    first_key: str = "",
) -> ExecutionPermit:
    permit = grant(request, judged(request), identity=identity, policy_digest="p", issuer=issuer, first_key=first_key)
    assert isinstance(permit, ExecutionPermit), permit
    return permit


def answered(answer: object = MISSING) -> ExecutionPermit | Refusal:
    request = proposed()
    return grant(request, judged(request, ASKING), identity=HERE, policy_digest="p", approval_answer=answer)
