"""Explicit settling: an action without result waits until somebody asks for it (operations-contract.md §5, §7)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Literal, NoReturn

from agentl.durable.choices import Refuse, Restore, Unsettled
from agentl.durable.context import RunContext
from agentl.durable.crossings import Outcome, Returned, Wanted
from agentl.durable.execution import Execution, call, conclude, described, is_unknown
from agentl.hosting.secrets import demand_secrets
from agentl.journal import entries
from agentl.journal.actions import Action
from agentl.runtime.answers import Answer


def settle_as_chosen(
    ctx: RunContext, execution: Execution, cause: Outcome | None
) -> Generator[Wanted, Outcome, Answer]:
    """Settle the action that stands without result as `ctx.settling` says. `cause` is None after a crash.

    Raises Unsettled when its outcome is unknown in this process, and when the choice is Refuse.
    """
    action = ctx.line.pending()
    assert action is not None and ctx.settling is not None
    if cause is not None:
        _stop(ctx, action, cause)
    choice = ctx.settling.choose(action)
    if isinstance(choice, Refuse):
        raise Unsettled(action.action_id, choice.code)
    if isinstance(choice, Restore):
        return conclude(ctx, execution, Returned(choice.value))
    demand_secrets(ctx.host, action.tool, execution.args, action.action_id)
    attempt = action.attempt + 1
    usage = ctx.settling.reserve(execution, action.action_id, attempt)
    note(ctx, action, "retry", attempt, usage=usage)
    outcome = yield from call(ctx, execution, attempt)
    if is_unknown(outcome):
        _stop(ctx, action, outcome)
    return conclude(ctx, execution, outcome)


def _stop(ctx: RunContext, action: Action, cause: Outcome) -> NoReturn:
    assert ctx.settling is not None
    attempt = action.attempt
    error = described(cause)
    note(ctx, action, "unknown", attempt, error, ctx.settling.receipt(action.action_id, attempt))
    raise Unsettled(action.action_id, cause=error[1] if error is not None else "")


def note(
    ctx: RunContext,
    action: Action,
    how: Literal["retry", "unknown", "not_launched"],
    attempt: int,
    error: tuple[str, str] | None = None,
    usage: Mapping[str, object] | None = None,
) -> None:
    """Append what an attempt begins with or came to."""
    ctx.append(
        entries.resolution(
            action.tool,
            action_id=action.action_id,
            how=how,
            attempt=attempt,
            error=error,
            agent=ctx.agent,
            usage=usage,
            **ctx.stamp(),
        )
    )
