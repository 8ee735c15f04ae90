"""Proposal, decision, approval, permit (policy.md §9, §13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from agentl.kernel.digest import action_digest, idempotency_key
from agentl.kernel.dispatch import dispatch
from agentl.kernel.errors import KernelAbort, PermitError
from agentl.kernel.gate import MISSING, freeze, grant, judge, propose, propose_delegate, show
from agentl.kernel.permit import ExecutionPermit
from agentl.kernel.request import ActionRequest, Contract, Decision, Refusal
from agentl.values import Symbol
from tests.kernel.making import (
    ALLOWED,
    ASKING,
    DENIED,
    HERE,
    OPEN,
    TRANSFER,
    Saying,
    answered,
    delegated,
    granted,
    judged,
    proposed,
)


def test_a_proposal_is_coerced_frozen_and_has_the_declared_risk() -> None:
    labels = {"to": frozenset({"OBSERVED"}), "$control": frozenset({"RUNTIME"})}
    request = propose(TRANSFER, {"to": Symbol("ops"), "amount": 40}, origin="plan", confidence=0.5, provenance=labels)
    assert isinstance(request, ActionRequest)
    assert dict(request.args) == {"amount": 40, "to": "ops"} and type(request.args["to"]) is str
    assert (request.risk, request.side_effects, request.confidence) == ("HIGH", ("bank",), 0.5)
    assert request.provenance == labels and request.kind == "invoke"
    assert request.action_hash == action_digest("invoke", "transfer", {"amount": 40, "to": "ops"})


def test_a_broken_contract_refuses_before_any_decision() -> None:
    assert propose(TRANSFER, {"amount": True, "to": "x"}) == Refusal(
        "contract", "argument amount must be Number, not a boolean"
    )


class Uncopyable:
    def __deepcopy__(self, memo: dict[int, object]) -> Any:
        raise TypeError("no copies")

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError("no copies")


loop: list[object] = []
loop.append(loop)


NOT_STORABLE = [Uncopyable(), object(), lambda: 1, open, iter([]), [{"x": object()}], loop, "\ud800", {(1, 2): 3}]


@pytest.mark.parametrize("number", range(len(NOT_STORABLE)))
def test_what_cannot_be_copied_and_written_down_refuses_the_action_and_not_the_run(number: int) -> None:
    assert_not_isolable(NOT_STORABLE[number])


def test_a_number_too_long_to_be_written_down_refuses_too() -> None:
    assert_not_isolable(10**5000)


def assert_not_isolable(value: object) -> None:
    refused = propose(OPEN, {"x": value})
    assert isinstance(refused, Refusal) and refused.stage == "isolation"
    refused = propose_delegate("auditor", {"x": value})
    assert isinstance(refused, Refusal) and refused.stage == "isolation"


def test_arguments_beyond_the_entry_size_are_refused() -> None:
    small = Contract("t", (("x", "String"),))
    room = len('{"$dict":[["x",""]]}')
    assert isinstance(propose(small, {"x": "é" * 10}, max_entry_bytes=room + 20), ActionRequest)
    refused = propose(small, {"x": "é" * 10}, max_entry_bytes=room + 19)
    assert refused == Refusal("isolation", f"arguments take {room + 20} bytes, more than {room + 19}")
    assert isinstance(propose(small, {"x": "a" * (1 << 20)}), Refusal)
    assert isinstance(propose(small, {"x": "a" * ((1 << 20) - room)}), ActionRequest)


def test_changing_the_arguments_afterwards_changes_nothing() -> None:
    items: list[Any] = [1, {"k": 2}]
    args = {"x": items}
    request = proposed(OPEN, **args)
    decision = judged(request)
    items.append(3)
    items[1]["k"] = 9
    assert request.args == {"x": [1, {"k": 2}]}
    request.args["x"].append(4)  # type: ignore[attr-defined]
    permit = grant(request, decision, identity=HERE, policy_digest="p")
    assert isinstance(permit, ExecutionPermit)
    with dispatch(permit) as sent:
        assert sent == {"x": [1, {"k": 2}]}
    with pytest.raises(TypeError):
        request.args["x"] = 1  # type: ignore[index]


def test_what_is_judged_is_what_is_bound_even_if_the_view_was_changed() -> None:
    request = proposed(OPEN, x=[1])
    request.args["x"].append(2)  # type: ignore[attr-defined]
    decider = Saying(ALLOWED)
    judge(request, decider, None)
    assert decider.asked[0].args == {"x": [1]}


def test_the_approver_may_change_its_copy_as_it_likes() -> None:
    request = proposed(OPEN, x=[1], y=2)
    decision = judged(request, ASKING)
    shown = show(request)
    shown.args["x"].append(5)  # type: ignore[attr-defined]
    shown.args["y"] = 0
    shown.tool, shown.risk = "other", "LOW"
    shown.side_effects.append("nothing")
    shown.provenance["x"] = frozenset({"HUMAN"})
    permit = grant(request, decision, identity=HERE, policy_digest="p", approval_answer="ok")
    assert isinstance(permit, ExecutionPermit)
    assert (permit.target, permit.args, permit.approved) == ("open", {"x": [1], "y": 2}, True)
    assert request.render() == "open(x=[1], y=2)" == show(request).render()


def test_a_denial_gives_the_rule_and_no_permit() -> None:
    request = proposed()
    refusal = grant(request, judged(request, DENIED), identity=HERE, policy_digest="p", approval_answer=True)
    assert refusal == Refusal("policy", "the bank is closed", "NEVER transfer")


@pytest.mark.parametrize("answer", [True, " OK ", Symbol("Approved"), "accepté"])
def test_a_word_of_the_list_grants(answer: object) -> None:
    permit = answered(answer)
    assert isinstance(permit, ExecutionPermit) and permit.approved


@pytest.mark.parametrize("answer", [MISSING, False, None, 1, "sure", [], {"ok": True}, RuntimeError("yes")])
def test_no_other_answer_does(answer: object) -> None:
    refusal = answered(answer)
    assert isinstance(refusal, Refusal)
    assert (refusal.stage, refusal.rule) == ("approval", "REQUIRE APPROVAL FOR transfer")


def test_an_allowed_action_is_not_marked_as_approved() -> None:
    assert granted(proposed()).approved is False


@pytest.mark.parametrize("answer", [ValueError("boom"), None, "ALLOWED", Decision("PERHAPS")])  # type: ignore[arg-type]
def test_a_decider_that_fails_or_gives_no_verdict_refuses(answer: object) -> None:
    refusal = judge(proposed(), Saying(answer), None)
    assert isinstance(refusal, Refusal) and refusal.stage == "policy_error"


def test_an_abort_inside_the_decider_is_not_swallowed() -> None:
    with pytest.raises(KernelAbort):
        judge(proposed(), Saying(KernelAbort("stop")), None)


def test_a_decision_counts_only_for_the_action_it_was_made_about() -> None:
    small, large = proposed(amount=1, to="x"), proposed(amount=10**6, to="x")
    for decision in (ALLOWED, judged(small)):
        with pytest.raises(PermitError, match="R912"):
            grant(large, decision, identity=HERE, policy_digest="p")
    risen = replace(small, risk="CRITICAL")
    with pytest.raises(PermitError, match="R912"):
        grant(risen, judged(small), identity=HERE, policy_digest="p")


def test_a_request_built_by_hand_must_be_frozen_first() -> None:
    by_hand = ActionRequest("transfer", {"amount": 1})
    with pytest.raises(PermitError):
        judge(by_hand, Saying(ALLOWED), None)
    with pytest.raises(PermitError):
        grant(by_hand, ALLOWED, identity=HERE, policy_digest="p")
    assert isinstance(freeze(by_hand), ActionRequest)


def test_a_delegate_has_no_contract_and_is_critical_without_a_tool() -> None:
    request = delegated("auditor", **{"mail.body": "x"})
    assert (request.kind, request.risk, request.origin) == ("delegate", "CRITICAL", "delegate")
    assert granted(request).kind == "delegate"


def test_a_permit_says_where_it_stands() -> None:
    request = proposed()
    permit = granted(request)
    assert permit.action_id == "r7:DESK:t3:a1"
    assert permit.idempotency_key == idempotency_key(HERE, request.action_hash)
    assert (permit.policy_digest, permit.status) == ("p", "issued")


def test_a_later_action_can_carry_the_first_key() -> None:
    assert granted(proposed(), first_key="f" * 32).idempotency_key == "f" * 32


def test_the_decider_gets_the_scope_and_the_coerced_value() -> None:
    seen: list[object] = []

    class Looking:
        def decide(self, request: ActionRequest, scope: object, /) -> Decision:
            seen.extend([type(request.args["to"]), scope, isinstance(request.args, Mapping)])
            return ALLOWED

    judge(proposed(to=Symbol("ops"), amount=1), Looking(), "here")
    assert seen == [str, "here", True]
