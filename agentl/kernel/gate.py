"""The gate: proposal → frozen copy → decision → approval → permit (policy.md §9, decision 13). No IO, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol, get_args

from agentl.kernel.approval import approval_granted
from agentl.kernel.contract import check_inputs
from agentl.kernel.digest import action_digest, idempotency_key
from agentl.kernel.errors import KernelAbort, PermitError
from agentl.kernel.permit import ExecutionPermit, Issuer, mint, thaw
from agentl.kernel.request import ActionRequest, Contract, Decision, Identity, Refusal, ShownRequest, Verdict
from agentl.messages import kernel as messages
from agentl.values import Label, canonical_json, decode, encode

MAX_ENTRY_BYTES = 1 << 20  # of the arguments as written down (decision 14)
DELEGATE_RISK = "CRITICAL"  # of a sub-agent without a TOOL of its name (policy.md §8)
MISSING: Final = object()  # the approval answer when there is no approver

_VERDICTS = frozenset(get_args(Verdict))


class Decider(Protocol):
    """What judges. It is pure: it reads the request and the scope and changes neither."""

    def decide(self, request: ActionRequest, scope: Any, /) -> Decision:
        """Return the verdict; an exception counts as a refusal."""


def propose(
    contract: Contract,
    args: Mapping[str, object],
    *,
    origin: str = "plan",
    confidence: float = 1.0,
    provenance: Mapping[str, Label] | None = None,
    max_entry_bytes: int = MAX_ENTRY_BYTES,
) -> ActionRequest | Refusal:
    """Coerce and check the arguments of a tool call and freeze them.

    Risk and side effects come from the contract: a caller cannot present a CRITICAL tool as LOW.
    Refused: stage `contract` (semantics.md §11.1), stage `isolation` (`freeze`).
    """
    checked = check_inputs(contract, args)
    if isinstance(checked, str):
        return Refusal("contract", checked)
    request = ActionRequest(
        contract.name, checked, contract.risk, contract.side_effects, origin, confidence, provenance or {}
    )
    return freeze(request, max_entry_bytes=max_entry_bytes)


def propose_delegate(
    target: str,
    payload: Mapping[str, object],
    *,
    risk: str = DELEGATE_RISK,
    side_effects: tuple[str, ...] = (),
    confidence: float = 1.0,
    provenance: Mapping[str, Label] | None = None,
    max_entry_bytes: int = MAX_ENTRY_BYTES,
) -> ActionRequest | Refusal:
    """Freeze a DELEGATE (policy.md §8): no contract; `risk` is that of the TOOL of the same name, if there is one."""
    request = ActionRequest(
        target, payload, risk, side_effects, "delegate", confidence, provenance or {}, kind="delegate"
    )
    return freeze(request, max_entry_bytes=max_entry_bytes)


def freeze(request: ActionRequest, *, max_entry_bytes: int = MAX_ENTRY_BYTES) -> ActionRequest | Refusal:
    """Return the request over a copy of its arguments that nothing outside can reach.

    Refused (stage `isolation`): an argument that cannot be copied or written down, or all of them being larger than
    `max_entry_bytes`: nothing that could not be journaled ever gets as far as an intent (decision 14).
    """
    try:
        data = encode(dict(request.args))
        frozen = canonical_json(data)
        size = len(frozen.encode("utf-8"))
        if size > max_entry_bytes:
            return Refusal("isolation", f"arguments take {size} bytes, more than {max_entry_bytes}")
        args = decode(data)
        action_hash = action_digest(request.kind, request.tool, args)
    except Exception as error:
        return Refusal("isolation", f"arguments cannot be isolated: {error}")
    return _bound(request, args, frozen, action_hash)


def _bound(asked: ActionRequest, args: dict[str, object], frozen: str, action_hash: str) -> ActionRequest:
    """Return the request over arguments that nobody else holds."""
    view, labels = MappingProxyType(args), MappingProxyType(dict(asked.provenance))
    about = (asked.risk, tuple(asked.side_effects), asked.origin, asked.confidence, labels, asked.kind)
    return ActionRequest(asked.tool, view, *about, frozen, action_hash)


def judge(request: ActionRequest, decider: Decider, scope: object) -> Decision | Refusal:
    """Ask the decider about a frozen request. An exception or an answer that is no verdict refuses (`policy_error`)."""
    if not request.frozen:
        raise PermitError.of(messages.NOT_JUDGED, target=request.tool)
    # WHY: arguments are thawed for the decider, so that what is judged is what the digest binds, whoever held the view.
    view = _bound(request, thaw(request.frozen), request.frozen, request.action_hash)
    try:
        decision = decider.decide(view, scope)
        if not isinstance(decision, Decision) or decision.verdict not in _VERDICTS:
            return Refusal("policy_error", "the policy gave no verdict")
    except KernelAbort:
        raise
    except Exception as error:
        return Refusal("policy_error", f"the policy could not be evaluated: {type(error).__name__}: {error}")
    said = (decision.verdict, decision.rule, decision.rule_effect, decision.reason, decision.shadowed_args)
    return Decision(*said, judged=_bond(request))


def show(request: ActionRequest) -> ShownRequest:
    """Return the copy an approver is given (policy.md §5.2)."""
    return ShownRequest(
        request.tool,
        thaw(request.frozen),
        request.risk,
        list(request.side_effects),
        request.origin,
        request.confidence,
        dict(request.provenance),
        request.kind,
    )


def grant(
    request: ActionRequest,
    decision: Decision,
    *,
    identity: Identity,
    policy_digest: str,
    approval_answer: object = MISSING,
    first_key: str = "",
    issuer: Issuer | None = None,
) -> ExecutionPermit | Refusal:
    """Turn a decision made by `judge` about this request into a permit.

    Refused: stage `policy` when it is DENIED, stage `approval` when an approval is required and `approval_answer` is
    not one of the words. `first_key` replaces the idempotency key for an action that carries the key of an earlier one
    (decision 3). With an `issuer`, the previous permit of that line is revoked if it was not used.
    PermitError when the decision was not made about this request.
    """
    if not request.frozen or decision.judged != _bond(request):
        raise PermitError.of(messages.NOT_JUDGED, target=request.tool)
    if decision.verdict == "DENIED":
        return Refusal("policy", decision.reason, decision.rule)
    asked = decision.verdict == "APPROVAL_REQUIRED"
    if asked and not approval_granted(approval_answer):
        text = "no approver" if approval_answer is MISSING else "approval refused"
        return Refusal("approval", text, decision.rule)
    return mint(
        request,
        action_id=identity.action_id,
        idempotency_key=first_key or idempotency_key(identity, request.action_hash),
        policy_digest=policy_digest,
        approved=asked,
        issuer=issuer,
    )


def _bond(request: ActionRequest) -> str:
    # INVARIANT: risk is part of what was judged: a request with another risk is another request.
    return f"{request.action_hash}:{request.risk}"
