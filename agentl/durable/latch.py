"""The latch: an action whose twin is in doubt does not simply go out again (decision 2)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

from agentl.durable.context import RunContext, Settled
from agentl.durable.crossings import Outcome, Wanted
from agentl.durable.execution import described
from agentl.durable.key_life import outlived
from agentl.durable.settling import Found, may_reconcile, reconcile
from agentl.journal import entries
from agentl.journal.actions import Action
from agentl.kernel.request import ActionRequest
from agentl.runtime.answers import Done, Refused


@dataclass(frozen=True, slots=True)
class Carried:
    """The action may go out, with the key of an earlier one ("" when there is none).

    `repeats` is that earlier one where it is only the promise of its key that lets this one go out.
    """

    first_key: str = ""
    retry_of: str = ""
    repeats: Action | None = None


def latch(ctx: RunContext, request: ActionRequest) -> Generator[Wanted, Outcome, Carried | Refused | Done]:
    """Judge an action by an earlier one of the same tool and digest that is in doubt.

    Judged by the first intent's promise and by the journal alone, so that it comes out the same when derived again;
    what a clock or a look-up had to say is noted there.
    """
    actions = ctx.line.actions
    doubts = actions.doubts_of(request.tool, request.action_hash)
    first = doubts[0] if doubts else actions.unanswered(request.tool, request.action_hash)
    if first is None or ctx.options.compat:
        return Carried()
    carried = Carried(first.key, first.action_id)
    found = _recorded(ctx, first)
    if found is not None:
        return _verdict(request, first, found)
    if any(_under_way(ctx, action) for action in doubts):
        return _refused(first, "its call is still under way")
    if doubts and _program_decides(ctx, request.tool):
        return carried
    is_repeatable = not doubts or first.promise in ("idempotent", "both")
    over = outlived(ctx, first) if is_repeatable and ctx.is_live else ""
    if is_repeatable and not over:
        return replace(carried, repeats=first)
    is_common = actions.is_common(first)
    if ctx.is_live and not is_common and first.promise in ("reconcile", "both") and may_reconcile(ctx, first):
        found = yield from reconcile(ctx, request, first)
    elif over:
        found = Found("unknown", reason=over)
    else:
        return _refused(first, "branches beside this one may be at it too" if is_common else "nobody has settled it")
    _record(ctx, first, found)
    return _verdict(request, first, found)


def too_late(ctx: RunContext, carried: Carried) -> Refused | None:
    """Refuse an action whose carried key was forgotten while a person was asked about it; None for all others."""
    first = carried.repeats
    if first is None:
        return None
    found = _recorded(ctx, first)
    over = outlived(ctx, first) if found is None and ctx.is_live else ""
    if over:
        found = Found("unknown", reason=over)
        _record(ctx, first, found)
    return None if found is None else _refused(first, found.reason)


def _recorded(ctx: RunContext, first: Action) -> Found | None:
    """The answer about the first action that an earlier process wrote at this place."""
    standing = ctx.line.peek()
    if standing is None or standing.entry["kind"] != "resolution" or standing.fields["action_id"] != first.action_id:
        return None
    ctx.line.annotation("resolution", first.tool)
    ctx.note_progress()
    fields = standing.fields
    return Found(fields["how"], fields.get("value"), str(fields.get("reason", "")))


def _record(ctx: RunContext, first: Action, found: Found) -> None:
    more: dict[str, Any] = {"value": found.value} if found.how == "reconciled" else {"reason": found.reason}
    ctx.append(
        entries.resolution(
            first.tool,
            action_id=first.action_id,
            how=found.how,
            error=described(found.cause) if found.cause is not None else None,
            agent=ctx.agent,
            **ctx.stamp(),
            **more,
        )
    )
    ctx.tell(Settled(found.how, first.tool, first.action_id, reason=found.reason))


def _verdict(request: ActionRequest, first: Action, found: Found) -> Carried | Refused | Done:
    if found.how == "reconciled":
        return Done(found.value, dict(request.args))
    if found.how == "not_executed":
        return Carried(first.key, first.action_id)
    return _refused(first, found.reason)


def _refused(first: Action, why: str) -> Refused:
    return Refused("in_doubt", None, f"the same action {first.action_id} is in doubt: {why}")


def _program_decides(ctx: RunContext, tool: str) -> bool:
    """Whether a rule reads that the tool is in doubt, where that is known.

    WHY the second half: what another agent of the society, or the branch before this one, left in doubt is no fact of
    this state. A rule that was shown no doubt has decided nothing.
    """
    return ctx.policy.reads_in_doubt(tool) and ctx.state.world.get(f"tools.{tool}.in_doubt") is True


def _under_way(ctx: RunContext, first: Action) -> bool:
    """Whether the first call may still be running: until another process has taken over, whatever came late."""
    marked = [made for made in first.resolutions if made.fields.get("under_way")]
    return bool(marked) and not ctx.line.owner_changed_since(marked[-1].seq)
