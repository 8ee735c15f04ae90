"""Settling: what becomes of an action without a known result (durable.md §8, decisions 3 to 6).

Same key once more where that was promised and the key is still known, else the reconciler, else in doubt. It never
guesses.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from agentl.durable.answering import go_live
from agentl.durable.context import RunContext, Settled
from agentl.durable.crossings import AskReconciler, Outcome, Pause, Raised, Returned, StillUnderWay, Wanted
from agentl.durable.execution import (
    Execution,
    call,
    conclude,
    described,
    doubt,
    forbids,
    is_unknown,
    refuse,
)
from agentl.durable.explicit import settle_as_chosen
from agentl.durable.key_life import outlived
from agentl.durable.recheck import recheck
from agentl.hosting.options import after_s_of, options_of
from agentl.hosting.outcomes import NOT_EXECUTED, NotApplied
from agentl.hosting.promise import promise_of
from agentl.hosting.secrets import demand_secrets, secret_digests
from agentl.journal import entries
from agentl.journal.actions import Action
from agentl.kernel.contract import check_outputs
from agentl.kernel.dispatch import ActionContext
from agentl.kernel.request import ActionRequest
from agentl.runtime.answers import Answer
from agentl.values import NotStorable

_STILL_UNDER_WAY = "the call is still under way"

How = Literal["reconciled", "not_executed", "unknown"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a reconciler is taken to have said. `value` with reconciled, `reason` with unknown."""

    how: How
    value: Any = None
    reason: str = ""
    cause: Outcome | None = None


def settle(ctx: RunContext, execution: Execution, cause: Outcome | None) -> Generator[Wanted, Outcome, Answer]:
    """Settle the action that stands without result. `cause` is the outcome that made it unknown, None after a crash."""
    yield from go_live(ctx)
    if ctx.settling is not None:
        return (yield from settle_as_chosen(ctx, execution, cause))
    action = ctx.line.pending()
    assert action is not None
    if action.kind != "invoke":
        return _in_doubt(ctx, execution, action, "delegated actions are never repeated", cause)
    under_way = isinstance(cause, StillUnderWay)
    why_not = _why_not_again(ctx, action)
    if not under_way and not why_not:
        answer, cause = yield from _repeat(ctx, execution, action, cause)
        if answer is not None:
            return answer
        under_way = isinstance(cause, StillUnderWay)
        why_not = "the call with the same key ended without an answer about the first"
    if not may_reconcile(ctx, action):
        return _in_doubt(ctx, execution, action, why_not or _STILL_UNDER_WAY, cause, under_way=under_way)
    found = yield from reconcile(ctx, execution.request, action, under_way=under_way)
    if found.how == "unknown":
        return _in_doubt(ctx, execution, action, found.reason, found.cause or cause, under_way=under_way)
    if found.how == "reconciled":
        return _reconciled(ctx, execution, action, found.value, cause)
    return (yield from _execute_now(ctx, execution, action, cause))


def _why_not_again(ctx: RunContext, action: Action) -> str:
    """Why the key may not be used again; "" when it may: promised then and now, by the same version of the tool, and
    still known to the service (decision 4)."""
    today = promise_of(ctx.host, action.tool)
    if action.promise not in ("idempotent", "both"):
        if today == "idempotent":
            return "the host did not promise a repeatable key when the call was made"
        return "the host promises neither a repeatable key nor a look-up"
    if today not in ("idempotent", "both"):
        return "the host no longer promises a repeatable key"
    if action.fields.get("tool_version") != options_of(ctx.host, action.tool).version:
        return "the tool has another version than when the call was made"
    return outlived(ctx, action)


def may_reconcile(ctx: RunContext, action: Action) -> bool:
    """Whether today's host can look the action up. What it may be believed is decided by the promise of then."""
    return promise_of(ctx.host, action.tool) in ("reconcile", "both")


def _repeat(
    ctx: RunContext, execution: Execution, action: Action, cause: Outcome | None
) -> Generator[Wanted, Outcome, tuple[Answer | None, Outcome | None]]:
    """Call once more with the same key. Without answer, the second element is the new cause.

    A repetition that was not applied says nothing about the call before it: what made that one unknown stays.
    """
    fresh = yield from recheck(ctx, execution.request, execution.decision)
    if fresh is not None and forbids(execution.decision, fresh):
        return _in_doubt(ctx, execution, action, f"policy: {fresh.reason}", cause), cause
    demand_secrets(ctx.host, action.tool, execution.args, action.action_id)
    attempt = action.attempt + 1
    _announce(ctx, action, "retry", attempt, cause)
    outcome = yield from call(ctx, execution, attempt)
    if is_unknown(outcome):
        return None, outcome
    if isinstance(outcome, Raised) and outcome.ending == "not_applied":
        return None, cause or outcome
    return conclude(ctx, execution, outcome), None


def _announce(ctx: RunContext, action: Action, how: str, attempt: int, cause: Outcome | None) -> None:
    """Append the resolution that precedes a further call, flushed."""
    ctx.append(
        entries.resolution(
            action.tool,
            action_id=action.action_id,
            how=how,
            attempt=attempt,
            error=described(cause) if cause is not None else None,
            agent=ctx.agent,
            **ctx.stamp(),
        )
    )
    ctx.tell(Settled(how, action.tool, action.action_id, attempt))


def _in_doubt(
    ctx: RunContext,
    execution: Execution,
    action: Action,
    reason: str,
    cause: Outcome | None,
    *,
    under_way: bool = False,
) -> Answer:
    answer = doubt(ctx, execution, action.action_id, reason, cause, under_way=under_way)
    ctx.tell(Settled("in_doubt", action.tool, action.action_id, reason=reason))
    return answer


def _reconciled(ctx: RunContext, execution: Execution, action: Action, value: Any, cause: Outcome | None) -> Answer:
    resolution = entries.resolution(
        action.tool,
        action_id=action.action_id,
        how="reconciled",
        error=described(cause) if cause is not None else None,
        agent=ctx.agent,
        **ctx.stamp(),
    )
    answer = conclude(ctx, execution, Returned(value), resolution)
    ctx.tell(Settled("reconciled", action.tool, action.action_id))
    return answer


def _execute_now(
    ctx: RunContext, execution: Execution, action: Action, cause: Outcome | None
) -> Generator[Wanted, Outcome, Answer]:
    """The look-up says that nothing happened: the action is executed, under its own key."""
    fresh = yield from recheck(ctx, execution.request, execution.decision)
    if fresh is not None and forbids(execution.decision, fresh):
        return refuse(ctx, execution, fresh)
    demand_secrets(ctx.host, action.tool, execution.args, action.action_id)
    attempt = action.attempt + 1
    _announce(ctx, action, "not_executed", attempt, cause)
    outcome = yield from call(ctx, execution, attempt)
    if is_unknown(outcome):
        under_way = isinstance(outcome, StillUnderWay)
        reason = "the call that followed the look-up ended without an answer"
        return _in_doubt(ctx, execution, action, reason, outcome, under_way=under_way)
    return conclude(ctx, execution, outcome)


def reconcile(
    ctx: RunContext, request: ActionRequest, action: Action, *, under_way: bool = False
) -> Generator[Wanted, Outcome, Found]:
    """Ask the reconciler, and believe NOT_EXECUTED only when no call can still land (decision 5)."""
    context = ActionContext("invoke", action.tool, action.action_id, action.key, action.attempt)
    _remember_secrets(ctx, request)
    ripe = _ripe_at(ctx, action)
    while True:
        if under_way:
            yield from _wait(ctx, action, ripe)
        outcome = yield AskReconciler(action.tool, dict(request.args), context)
        if not isinstance(outcome, Returned):
            text = outcome.text if isinstance(outcome, Raised) else ""
            return Found("unknown", reason=f"the look-up failed: {text}", cause=outcome)
        if outcome.value is not NOT_EXECUTED:
            return _positive(ctx, action.tool, outcome.value)
        if under_way:
            return Found("unknown", reason=_STILL_UNDER_WAY)
        if ctx.options.compat:
            return Found("not_executed")
        if action.promise not in ("reconcile", "both"):
            return Found("unknown", reason="the host promised no look-up when the call was made")
        if ctx.clocks.boot_s() >= ripe:
            return Found("not_executed")
        yield from _wait(ctx, action, ripe)


def _remember_secrets(ctx: RunContext, request: ActionRequest) -> None:
    """Have the host look its secrets up, so that they are known for what they are in whatever a reconciler says."""
    if ctx.secret_key:
        with suppress(NotApplied):
            secret_digests(ctx.host, request.tool, request.args, ctx.secret_key)


def _positive(ctx: RunContext, tool: str, value: Any) -> Found:
    if not ctx.options.compat:
        problem = _no_result(ctx, tool, value)
        if problem:
            return Found("unknown", reason=problem)
    try:
        entries.crossing("invoke", "", value=value)
    except NotStorable as problem:
        return Found("unknown", reason=f"the look-up's result cannot be stored: {problem}")
    return Found("reconciled", value)


def _no_result(ctx: RunContext, tool: str, value: Any) -> str:
    """Why an answer is no result of this tool, "" when it is one. Only a result says that the action took place."""
    if value is None:
        return "the look-up does not know"
    if not isinstance(value, dict):
        return f"the look-up answered {type(value).__name__}, which is no result"
    contract = ctx.machine.contracts.get(tool)
    checked = check_outputs(contract, value) if contract is not None and contract.outputs and value else None
    return f"the look-up's answer is no result: {checked}" if isinstance(checked, str) else ""


def _ripe_at(ctx: RunContext, action: Action) -> float:
    """When no call can still land, on the boot clock. Never judged by the wall clock.

    A call that waited for a place may have been launched a moment ago.
    """
    boot_id, launched = action.last_launch
    since = launched if boot_id == ctx.clocks.boot_id else ctx.opened_boot_s
    return after_s_of(ctx.host, action.tool) + (ctx.clocks.boot_s() if action.was_queued else since)


def _wait(ctx: RunContext, action: Action, ripe: float) -> Generator[Wanted, Outcome, None]:
    remaining = ripe - ctx.clocks.boot_s()
    if remaining > 0:
        ctx.tell(Settled("waiting", action.tool, action.action_id, reason=f"{remaining:.1f}"))
        yield Pause(remaining, action.action_id)
