"""Execution: one granted action, from its intent to its result, also across a crash (durable.md §5, §8)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from agentl.durable.context import RunContext
from agentl.durable.crossings import InvokeTool, Outcome, Raised, StillUnderWay, Wanted
from agentl.hosting.options import options_of
from agentl.hosting.promise import promise_of
from agentl.hosting.secrets import secret_digests
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.journal.machine import Served
from agentl.kernel.errors import PermitError
from agentl.kernel.gate import MISSING, grant
from agentl.kernel.permit import ExecutionPermit
from agentl.kernel.request import ActionRequest, Decision, Identity, Refusal
from agentl.runtime.answers import Answer, Done, Doubt, Failure, Refused
from agentl.values import NotStorable

IN_DOUBT = "ActionInDoubt"
REFUSED = "Refused"
NOT_STORABLE = "ResultNotStorable"


@dataclass(frozen=True, slots=True)
class Execution:
    """A decided action and where it stands in the run.

    `first_key` and `retry_of` are those of the earlier action whose key it carries (decision 3), "" for its own.
    """

    request: ActionRequest
    decision: Decision
    identity: Identity
    approval: Any = MISSING
    first_key: str = ""
    retry_of: str = ""

    def permit(self, ctx: RunContext) -> ExecutionPermit | Refusal:
        """A permit for one call. Each attempt needs its own; id and key are the same."""
        return grant(
            self.request,
            self.decision,
            identity=self.identity,
            policy_digest=ctx.policy_digest,
            approval_answer=self.approval,
            first_key=self.first_key,
            issuer=ctx.issuer,
        )

    @property
    def args(self) -> dict[str, Any]:
        return dict(self.request.args)

    @property
    def tool(self) -> str:
        return self.request.tool


def announce(ctx: RunContext, execution: Execution, permit: ExecutionPermit) -> None:
    """Append the intent, flushed, before the host may be called."""
    tool = execution.tool
    more: dict[str, Any] = {}
    digests = ctx.secret_key and secret_digests(ctx.host, tool, execution.args, ctx.secret_key)
    if digests:
        more["secrets"] = digests
    if ctx.settling is not None:
        more["usage"] = ctx.settling.reserve(execution, permit.action_id, 1)
    key_life_s = options_of(ctx.host, tool).key_life_s
    if key_life_s is not None:
        more["key_life_s"] = key_life_s
    ctx.append(
        entries.intent(
            tool,
            action_id=permit.action_id,
            key=permit.idempotency_key,
            digest=permit.action_hash,
            kind=permit.kind,
            policy=ctx.policy_digest[:16],
            promise=promise_of(ctx.host, tool) if permit.kind == "invoke" else "none",
            tool_version=options_of(ctx.host, tool).version,
            retry_of=execution.retry_of or None,
            agent=ctx.agent,
            **ctx.stamp(),
            **more,
        )
    )


def call(
    ctx: RunContext, execution: Execution, attempt: int, permit: ExecutionPermit | None = None
) -> Generator[Wanted, Outcome, Outcome]:
    """Make the one call of an attempt, under `permit` if it is still to be used, else under a new one."""
    usable = permit or execution.permit(ctx)
    if isinstance(usable, Refusal):
        raise PermitError(usable.text)
    limit = options_of(ctx.host, execution.tool).timeout_s or ctx.options.tool_timeout_s
    outcome = yield InvokeTool(usable, attempt, limit)
    if isinstance(outcome, StillUnderWay):
        ctx.under_way.append((execution, outcome.call))
    return outcome


def is_unknown(outcome: Outcome) -> bool:
    """Whether nobody can tell from the outcome if the effect took place (decision 3).

    A tool's own exception called ActionInDoubt is taken at its word: in the journal it could not be told apart.
    """
    if isinstance(outcome, Raised):
        return outcome.ending == "unknown" or outcome.class_name == IN_DOUBT
    return isinstance(outcome, StillUnderWay)


def described(outcome: Outcome) -> tuple[str, str] | None:
    """The error of an outcome as class name and text, for a resolution."""
    if isinstance(outcome, Raised):
        return outcome.class_name, outcome.text
    if isinstance(outcome, StillUnderWay):
        return "TimeoutError", f"no answer after {outcome.limit_s:g} s, the call is still under way"
    return None


def conclude(ctx: RunContext, execution: Execution, outcome: Outcome, *before: RawEntry) -> Answer:
    """Append how the action ended, with the entries that lead to it in the same write, and return it as an answer."""
    assert not isinstance(outcome, StillUnderWay)
    kind, tool, args = execution.request.kind, execution.tool, execution.args
    if isinstance(outcome, Raised):
        return _failed(ctx, execution, (outcome.class_name, outcome.text), before)
    try:
        usage = _usage(ctx, execution)
        entry = entries.crossing(kind, tool, args=args, value=outcome.value, agent=ctx.agent, usage=usage)
        ctx.append(*before, entry)
    except NotStorable as problem:
        return _failed(ctx, execution, (NOT_STORABLE, str(problem)), before)
    return Done(Served(entry).value, args)


def _failed(ctx: RunContext, execution: Execution, error: tuple[str, str], before: tuple[RawEntry, ...] = ()) -> Answer:
    kind, tool, args = execution.request.kind, execution.tool, execution.args
    usage = _usage(ctx, execution)
    ctx.append(*before, entries.crossing(kind, tool, args=args, error=error, agent=ctx.agent, usage=usage))
    return Failure(*error, args)


def _usage(ctx: RunContext, execution: Execution) -> Mapping[str, object] | None:
    """What the attempt that has just ended took, where somebody measures."""
    action = ctx.line.pending() if ctx.settling is not None else None
    if action is None or ctx.settling is None:
        return None
    return ctx.settling.receipt(execution.identity.action_id, action.attempt)


def doubt(
    ctx: RunContext,
    execution: Execution,
    action_id: str,
    reason: str,
    cause: Outcome | None,
    *,
    under_way: bool = False,
) -> Answer:
    """Declare the action in doubt: the resolution and the action's error in one write."""
    text = f"whether {action_id} took place is unknown: {reason}"
    kind, tool, args = execution.request.kind, execution.tool, execution.args
    more: dict[str, Any] = {"under_way": True} if under_way else {}
    ctx.append(
        entries.resolution(
            tool,
            action_id=action_id,
            how="in_doubt",
            reason=reason,
            error=described(cause) if cause is not None else None,
            agent=ctx.agent,
            **ctx.stamp(),
            **more,
        ),
        entries.crossing(kind, tool, args=args, error=(IN_DOUBT, text), agent=ctx.agent),
    )
    return Doubt(text, args)


def refuse(ctx: RunContext, execution: Execution, decision: Decision) -> Answer:
    """A recheck forbids what was about to be executed: the refusal is the action's error (decision 6)."""
    kind, tool, args = execution.request.kind, execution.tool, execution.args
    ctx.append(entries.crossing(kind, tool, args=args, error=(REFUSED, decision.reason), agent=ctx.agent))
    return Refused("recheck", decision.rule, decision.reason)


def served_answer(execution: Execution, served: Served, rechecked: Decision | None) -> Answer:
    """The recorded end of an action, as an answer. `rechecked` is the last recheck that stood behind its intent."""
    error, args = served.error, execution.args
    if error is None:
        return Done(served.value, args)
    if error.class_name == IN_DOUBT:
        return Doubt(error.text, args)
    if error.class_name == REFUSED and rechecked is not None and forbids(execution.decision, rechecked):
        return Refused("recheck", rechecked.rule, rechecked.reason)
    return Failure(error.class_name, error.text, args)


def forbids(decided: Decision, rechecked: Decision | None) -> bool:
    """Whether a recheck forbids an action that stands: also when it asks for an approval nobody was asked for."""
    if rechecked is None:
        return False
    return rechecked.verdict == "DENIED" or (
        rechecked.verdict == "APPROVAL_REQUIRED" and decided.verdict != "APPROVAL_REQUIRED"
    )
