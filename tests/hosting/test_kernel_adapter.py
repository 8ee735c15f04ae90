"""AGENT-L 1.10's Kernel (host-api.md §7, §17)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from agentl.hosting import Host
from agentl.ir.declarations import OutputField, Parameter, Tool
from agentl.ir.program import Agent
from agentl.kernel import ActionRequest, Kernel, PermitError, coerce_inputs, typecheck
from agentl.kernel.request import Decision, ShownRequest
from agentl.logic.scope import Scope
from agentl.values import Symbol
from tests.kernel.making import ALLOWED, ASKING, DENIED, Saying

PAY = Tool(
    name="pay",
    inputs=(Parameter(name="amount", type="Number"), Parameter(name="to", type="String")),
    outputs=(OutputField(name="receipt", type="String"),),
    side_effects=("bank",),
    risk="CRITICAL",
)
AGENT = Agent(name="DESK", tools=(PAY,))
STATE = SimpleNamespace(tick=4)


def kernel(decision: Decision = ALLOWED, run_id: str = "run") -> Kernel:
    return Kernel(AGENT, run_id=run_id, policy=Saying(decision), policy_digest="p")


def refuse(request: ShownRequest) -> object:
    raise AssertionError("nobody is to be asked")


def request_of(kern: Kernel, **args: Any) -> ActionRequest:
    request, reason = kern.propose_tool("pay", args or {"amount": 1, "to": Symbol("ops")})
    assert request is not None, reason
    return request


def host() -> Host:
    made = Host()
    made.tools["pay"] = lambda amount, to: {"receipt": f"{amount} to {to}"}
    made.subagent("auditor")(lambda payload: payload)
    return made


def test_a_tool_is_proposed_authorised_and_executed() -> None:
    kern = kernel()
    authorization = kern.authorize(request_of(kern), STATE, approve=refuse)
    assert authorization.granted and authorization.permit is not None
    assert authorization.permit.action_id == "run:DESK:t4:a1"
    assert kern.execute(authorization.permit, host()) == {"receipt": "1 to ops"}
    assert kern.stats == {"permits": 1, "unpresented": 0}
    with pytest.raises(PermitError):
        kern.execute(authorization.permit, host())


def test_a_proposal_that_breaks_the_contract_or_names_no_tool_has_a_reason() -> None:
    assert kernel().propose_tool("pay", {"amount": "1", "to": "x"}) == (
        None,
        "argument amount must be Number, not a text",
    )
    assert kernel().propose_tool("fly", {}) == (None, "tool fly is not declared")


def test_the_risk_is_that_of_the_declaration_whatever_the_request_says() -> None:
    decider = Saying(ALLOWED)
    kern = Kernel(AGENT, policy=decider, policy_digest="")
    kern.authorize(ActionRequest("pay", {"amount": 1}, risk="LOW"), STATE, approve=refuse)
    kern.authorize(ActionRequest("undeclared", {}, risk="LOW"), STATE, approve=refuse)
    kern.authorize(kern.propose_delegate("auditor", {}), STATE, approve=refuse, kind="delegate")
    assert [asked.risk for asked in decider.asked] == ["CRITICAL", "UNKNOWN", "CRITICAL"]


@pytest.mark.parametrize(("decision", "stage"), [(DENIED, "policy"), (ASKING, "approval")])
def test_a_refusal_says_its_stage(decision: Decision, stage: str) -> None:
    kern = kernel(decision)
    refused = kern.authorize(request_of(kern), STATE, approve=lambda shown: "sure")
    assert (refused.stage, refused.granted, refused.permit) == (stage, False, None)
    assert kern.stats["permits"] == 0


def test_what_cannot_be_isolated_or_decided_says_so() -> None:
    refused = kernel().authorize(ActionRequest("pay", {"x": object()}), STATE, approve=refuse)
    assert refused.stage == "isolation"
    broken = Kernel(AGENT, policy=Saying(ValueError("boom")), policy_digest="")
    assert broken.authorize(request_of(broken), STATE, approve=refuse).stage == "policy_error"


def test_observers_hear_what_happens_and_an_approver_that_raises_refuses() -> None:
    heard: list[str] = []
    observer = SimpleNamespace(
        decided=lambda request, decision: heard.append(decision.verdict),
        pending=lambda request, decision: heard.append("pending"),
        approver_failed=lambda request, error: heard.append(type(error).__name__),
    )

    def approve(shown: ShownRequest) -> object:
        shown.args["amount"] = 10**6
        raise LookupError

    kern = kernel(ASKING)
    refused = kern.authorize(request_of(kern), STATE, approve=approve, observer=observer)
    assert refused.stage == "approval" and heard == ["APPROVAL_REQUIRED", "pending", "LookupError"]


def test_an_approval_changes_nothing_but_the_verdict() -> None:
    def approve(shown: ShownRequest) -> object:
        shown.args["amount"] = 10**6
        return " OK "

    kern = kernel(ASKING)
    authorization = kern.authorize(request_of(kern), STATE, approve=approve)
    assert authorization.approved and authorization.permit is not None
    assert kern.execute(authorization.permit, host()) == {"receipt": "1 to ops"}


def test_a_newer_permit_revokes_and_void_revokes() -> None:
    kern = kernel()
    first = kern.authorize(request_of(kern), STATE, approve=refuse).permit
    second = kern.authorize(request_of(kern), STATE, approve=refuse).permit
    assert first is not None and second is not None
    with pytest.raises(PermitError, match="void"):
        kern.execute(first, host())
    kern.void(second)
    with pytest.raises(PermitError, match="void"):
        kern.execute(second, host())


def test_another_kernels_permit_is_foreign() -> None:
    kern = kernel()
    permit = kern.authorize(request_of(kern), STATE, approve=refuse).permit
    assert permit is not None
    with pytest.raises(PermitError, match="R906"):
        kernel().execute(permit, host())
    with pytest.raises(PermitError):
        kern.execute(object(), host())  # type: ignore[arg-type]
    assert kern.execute(permit, host())


def test_an_unregistered_tool_is_a_key_error_that_counts_as_unpresented() -> None:
    kern = kernel()
    permit = kern.authorize(request_of(kern), STATE, approve=refuse).permit
    assert permit is not None
    with pytest.raises(KeyError):
        kern.execute(permit, Host())
    assert kern.stats == {"permits": 1, "unpresented": 1}


def test_sub_agents_are_called_or_absent() -> None:
    kern = kernel()
    for target, expected in (("auditor", (True, {"mail.body": "x"})), ("nobody", (False, None))):
        request = kern.propose_delegate(target, {"mail.body": "x"})
        permit = kern.authorize(request, STATE, approve=refuse, kind="delegate").permit
        assert permit is not None
        assert kern.delegate(permit, host()) == expected


def test_an_invoke_permit_does_not_delegate() -> None:
    kern = kernel()
    permit = kern.authorize(ActionRequest("auditor", {}), STATE, approve=refuse).permit
    assert permit is not None
    with pytest.raises(PermitError, match="R909"):
        kern.delegate(permit, host())


def test_contract_functions_take_declarations_and_change_no_argument() -> None:
    args: dict[str, Any] = {"amount": 1, "to": Symbol("ops")}
    assert type(coerce_inputs(PAY, args)["to"]) is str and type(args["to"]) is Symbol
    assert typecheck(PAY, args) == ""
    assert typecheck(PAY, {"amount": 1}) == "missing argument to"
    assert coerce_inputs(PAY, {"amount": "x"}) == {"amount": "x"}


def test_without_a_decider_the_agents_own_policy_decides() -> None:
    closed = Kernel(Agent(name="DESK", tools=(PAY,), policy_default="DENY"))
    assert len(closed.policy_digest) == 64
    assert closed.authorize(request_of(closed), Scope(), approve=refuse).stage == "policy"
    opened = Kernel(Agent(name="DESK", tools=(PAY,)))
    permit = opened.authorize(request_of(opened), Scope(), approve=refuse).permit
    assert permit is not None and permit.policy_digest == opened.policy_digest != closed.policy_digest
    assert opened.execute(permit, host()) == {"receipt": "1 to ops"}
