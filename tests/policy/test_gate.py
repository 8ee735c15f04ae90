"""The policy behind the kernel: the rows of policy.md §11 in which gate, coercion or approver decide."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.kernel.gate import MISSING, grant, judge, propose, propose_delegate
from agentl.kernel.permit import ExecutionPermit
from agentl.kernel.request import ActionRequest, Contract, Decision, Identity, Refusal
from agentl.logic.scope import Scope
from agentl.policy import PolicyEngine, policy_digest
from agentl.values import Symbol
from tests.logic.language import agent
from tests.policy.desk import OBSERVED, REFUND_POLICY, REFUND_STATE, RUNTIME, observed

POLICY = agent(REFUND_POLICY)
ENGINE = PolicyEngine(POLICY)
REFUND = Contract("issue_refund", (("order", "String"), ("amount", "Number")), risk="HIGH")
PURGE = Contract("purge_history", (("days", "Int"),), risk="CRITICAL")
IDENTITY = Identity("run", "run", "desk", 1, 1)


def proposed(contract: Contract, args: dict[str, Any]) -> ActionRequest | Refusal:
    return propose(contract, args, provenance={**dict.fromkeys(args, OBSERVED), "$control": RUNTIME})


def road(contract: Contract, args: dict[str, Any], answer: object = MISSING) -> ExecutionPermit | Refusal:
    """Propose, judge and grant in the base state of the refund desk."""
    request = proposed(contract, args)
    if isinstance(request, Refusal):
        return request
    decision = judge(request, ENGINE, observed(REFUND_STATE))
    assert isinstance(decision, Decision)
    return grant(request, decision, identity=IDENTITY, policy_digest=policy_digest(POLICY), approval_answer=answer)


@pytest.mark.parametrize("args", [{"order": "o1", "amount": True}, {"amount": 40}], ids=["row38", "row39"])
def test_the_contract_refuses_before_the_policy_is_asked(args: dict[str, Any]) -> None:
    refusal = road(REFUND, args)
    assert isinstance(refusal, Refusal)
    assert refusal.stage == "contract"


@pytest.mark.parametrize("answer", ["sure", MISSING, 1, "yes please", None, False])
def test_row40_what_is_not_an_approval_word_refuses(answer: object) -> None:
    refusal = road(REFUND, {"order": "o1", "amount": 140}, answer)
    assert isinstance(refusal, Refusal)
    assert (refusal.stage, refusal.rule) == ("approval", "REQUIRE APPROVAL FOR issue_refund WHEN amount > 100")


def test_row41_an_approval_word_grants_a_permit_bound_to_the_policy() -> None:
    permit = road(REFUND, {"order": "o1", "amount": 140}, Symbol("Approved"))
    assert isinstance(permit, ExecutionPermit)
    assert (permit.approved, permit.policy_digest) == (True, policy_digest(POLICY))


def test_row32_no_approval_lifts_a_prohibition() -> None:
    request = proposed(PURGE, {"days": 30})
    assert isinstance(request, ActionRequest)
    decision = judge(request, ENGINE, observed(REFUND_STATE, {"retention.hold": Symbol("yes")}))
    assert isinstance(decision, Decision)
    refusal = grant(request, decision, identity=IDENTITY, policy_digest="", approval_answer=True)
    assert isinstance(refusal, Refusal)
    assert (refusal.stage, refusal.rule) == ("policy", "NEVER purge_history WHEN NOT retention.hold == no")


def test_the_coerced_value_is_what_guards_judge() -> None:
    contract = Contract("ship", (("zone", "String"), ("urgent", "Bool")))
    request = propose(contract, {"zone": Symbol("dock4"), "urgent": Symbol("yes")})
    assert isinstance(request, ActionRequest)
    engine = PolicyEngine(agent('NEVER ship WHEN zone IN "a dock4 b" AND urgent == yes'))
    # WHY: a symbol is never inside a text, so only the coerced argument makes this guard true.
    decision = judge(request, engine, Scope())
    assert isinstance(decision, Decision)
    assert decision.verdict == "DENIED"


def test_a_sub_agent_without_tool_is_critical_to_the_policy() -> None:
    request = propose_delegate("helper", {"mail.body": "x"})
    assert isinstance(request, ActionRequest)
    decision = judge(request, PolicyEngine(agent("REQUIRE APPROVAL FOR * WHEN action.risk >= CRITICAL")), Scope())
    assert isinstance(decision, Decision)
    assert decision.verdict == "APPROVAL_REQUIRED"


def test_an_engine_that_raises_is_a_refusal() -> None:
    class Broken:
        def __getattr__(self, name: str) -> object:
            raise RuntimeError(name)

    request = proposed(REFUND, {"order": "o1", "amount": 1})
    assert isinstance(request, ActionRequest)
    refusal = judge(request, ENGINE, Broken())
    assert isinstance(refusal, Refusal)
    assert refusal.stage == "policy_error"
