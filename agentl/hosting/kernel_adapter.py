"""AGENT-L 1.10's `Kernel`: gate and host in one object (host-api.md §7). Reached lazily from agentl.kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Protocol

from agentl.kernel.contract import check_inputs
from agentl.kernel.dispatch import active_dispatch, dispatch
from agentl.kernel.errors import KernelAbort, PermitError
from agentl.kernel.gate import DELEGATE_RISK, MISSING, Decider, freeze, grant, judge, propose, show
from agentl.kernel.permit import ExecutionPermit, Issuer, void
from agentl.kernel.request import (
    UNKNOWN_RISK,
    ActionRequest,
    Contract,
    Decision,
    Identity,
    Kind,
    Refusal,
    ShownRequest,
)
from agentl.messages import kernel as messages

Approver = Callable[[ShownRequest], object]


class AgentLike(Protocol):
    """What is needed of an agent: its name and its TOOLs."""

    @property
    def name(self) -> str:
        """The name of the agent."""

    def tool(self, name: str, /) -> Any:
        """The declaration of a TOOL, None when there is none."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """How far an action came: `granted`, or the stage that refused it (policy.md §16)."""

    stage: str
    request: ActionRequest
    permit: ExecutionPermit | None = None
    decision: Decision | None = None
    detail: str = ""
    approved: bool = False

    @property
    def granted(self) -> bool:
        """Whether there is a permit."""
        return self.stage == "granted"


def contract_of(spec: Any) -> Contract:
    """Return the contract of a TOOL declaration."""
    return Contract(
        spec.name,
        tuple((field.name, field.type) for field in spec.inputs),
        tuple((field.name, field.type) for field in spec.outputs),
        spec.risk,
        tuple(spec.side_effects),
    )


def coerce_inputs(spec: Any, args: Mapping[str, object]) -> dict[str, object]:
    """Return the coerced arguments; those that break the contract come back as they are. `args` is not changed."""
    checked = check_inputs(contract_of(spec), args)
    return dict(args) if isinstance(checked, str) else checked


def typecheck(spec: Any, args: Mapping[str, object]) -> str:
    """Return the first violation of the INPUT contract, "" when there is none."""
    checked = check_inputs(contract_of(spec), args)
    return checked if isinstance(checked, str) else ""


class Kernel:
    """One for an agent. `stats` counts permits minted, and those whose call never reached the host's check.

    `policy` is the decider: by default the agent's own POLICY, with its fingerprint in `policy_digest`.
    """

    def __init__(
        self, agent: AgentLike, *, run_id: str = "run", policy: Decider | None = None, policy_digest: str | None = None
    ) -> None:
        self.agent = agent
        self.run_id = run_id
        self.journal: object = None
        self.stats = {"permits": 0, "unpresented": 0}
        # WHY by name: policy stands above, and whoever brings a decider of his own does not need it.
        self.policy: Decider = policy or import_module("agentl.policy").PolicyEngine(agent)
        if policy_digest is None:
            policy_digest = "" if policy else import_module("agentl.policy").policy_digest(agent)
        self.policy_digest = policy_digest
        self._issuer = Issuer()

    def propose_tool(
        self, name: str, args: Mapping[str, object], origin: str = "plan", confidence: float = 1.0
    ) -> tuple[ActionRequest | None, str]:
        """Return (request, "") or (None, reason); the risk is that of the declaration."""
        spec = self.agent.tool(name)
        if spec is None:
            return None, f"tool {name} is not declared"
        proposed = propose(contract_of(spec), args, origin=origin, confidence=confidence)
        return (None, proposed.text) if isinstance(proposed, Refusal) else (proposed, "")

    def propose_delegate(self, name: str, args: Mapping[str, object], confidence: float = 1.0) -> ActionRequest:
        """Return the request of a DELEGATE; it is frozen when it is authorised."""
        return ActionRequest(name, args, self._risk(name, "delegate"), (), "delegate", confidence, kind="delegate")

    def authorize(
        self, request: ActionRequest, state: Any, *, approve: Approver, kind: Kind = "invoke", observer: Any = None
    ) -> Authorization:
        """Freeze, judge, ask `approve` if required, and mint. The observer's hooks are called where it has them:
        `decided(request, decision)`, `pending(request, decision)`, `approver_failed(request, error)`.
        """
        frozen = freeze(replace(request, kind=kind, risk=self._risk(request.tool, kind)))
        if isinstance(frozen, Refusal):
            return Authorization(frozen.stage, request, detail=frozen.text)
        decision = judge(frozen, self.policy, state)
        if isinstance(decision, Refusal):
            return Authorization(decision.stage, frozen, detail=decision.text)
        _tell(observer, "decided", frozen, decision)
        answer: object = MISSING
        if decision.verdict == "APPROVAL_REQUIRED":
            _tell(observer, "pending", frozen, decision)
            try:
                answer = approve(show(frozen))
            except KernelAbort:
                raise
            except Exception as error:
                _tell(observer, "approver_failed", frozen, error)
        identity = Identity(
            self.run_id, self.run_id, self.agent.name, getattr(state, "tick", 0), self.stats["permits"] + 1
        )
        permit = grant(
            frozen,
            decision,
            identity=identity,
            policy_digest=self.policy_digest,
            approval_answer=answer,
            issuer=self._issuer,
        )
        if isinstance(permit, Refusal):
            return Authorization(permit.stage, frozen, decision=decision, detail=permit.text)
        self.stats["permits"] += 1
        return Authorization("granted", frozen, permit, decision, decision.reason, permit.approved)

    def void(self, permit: ExecutionPermit) -> None:
        """Revoke an unused permit."""
        void(permit)

    def execute(self, permit: ExecutionPermit, host: Any) -> Any:
        """Call the tool. PermitError for a permit that is used, void, forged or another kernel's."""
        with self._performing(permit) as args:
            return host.invoke(permit.target, args)

    def delegate(self, permit: ExecutionPermit, host: Any) -> tuple[bool, Any]:
        """Call the sub-agent: (True, its result), or (False, None) when the host has none of that name."""
        with self._performing(permit) as args:
            subagent = host.subagents.get(permit.target)
            return (False, None) if subagent is None else (True, subagent(args))

    @contextmanager
    def _performing(self, permit: ExecutionPermit) -> Iterator[dict[str, object]]:
        if getattr(permit, "issuer", None) is not self._issuer:
            raise PermitError.of(messages.PERMIT_FOREIGN, target=getattr(permit, "target", ""))
        with dispatch(permit) as args:
            active = active_dispatch()
            try:
                yield args
            finally:
                if active is None or not active.presented:
                    self.stats["unpresented"] += 1

    def _risk(self, name: str, kind: Kind) -> str:
        spec = self.agent.tool(name)
        if spec is not None:
            return str(spec.risk)
        return DELEGATE_RISK if kind == "delegate" else UNKNOWN_RISK


def _tell(observer: Any, hook: str, *facts: object) -> None:
    function = getattr(observer, hook, None)
    if function is not None:
        function(*facts)
