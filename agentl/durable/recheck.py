"""Recheck: before a live call that continues a resumed tick, fresh facts are read; they only restrict (decision 6)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from agentl.durable.answering import go_live
from agentl.durable.context import RunContext
from agentl.durable.crossings import Outcome, ReadSensor, Returned, Wanted
from agentl.journal import entries
from agentl.kernel.gate import judge
from agentl.kernel.provenance import unwrap
from agentl.kernel.request import ActionRequest, Decision, Refusal
from agentl.values import UNDEFINED, NotStorable

_STRICTNESS = {"ALLOWED": 0, "APPROVAL_REQUIRED": 1, "DENIED": 2}


def recheck(
    ctx: RunContext, request: ActionRequest, decision: Decision, *, is_due: bool = True
) -> Generator[Wanted, Outcome, Decision | None]:
    """Return the stricter of `decision` and the decision over fresh readings; None when no recheck is due.

    The readings are an annotation, served when the action is derived again; the decision is always made anew.
    """
    served = ctx.line.optional_annotation("recheck", request.tool)
    if served is not None:
        readings: dict[str, Any] = served.fields["readings"]
        ctx.note_progress()
        return _stricter(decision, _judged(ctx, request, readings))
    if not is_due or not ctx.is_live:
        return None
    yield from go_live(ctx)
    if not ctx.rechecks:
        return None
    paths = [path for path in ctx.policy.reads(request.tool) if path in ctx.observed]
    if not paths:
        return None
    readings = {}
    for path in paths:
        readings[path] = yield from _reading(path)
    verdict = _stricter(decision, _judged(ctx, request, readings))
    fields = {"readings": readings, "verdict": verdict.verdict, "rule": verdict.rule}
    ctx.append(entries.annotation("recheck", request.tool, fields, agent=ctx.agent, at=ctx.clocks.wall_ms()))
    return verdict


def _reading(path: str) -> Generator[Wanted, Outcome, Any]:
    """A silent sensor, and one whose value cannot be written down, is undefined."""
    outcome = yield ReadSensor(path)
    if not isinstance(outcome, Returned):
        return UNDEFINED
    value, _ = unwrap(outcome.value)
    if value is None:
        return UNDEFINED
    try:
        entries.annotation("recheck", "", {"value": value})
    except NotStorable:
        return UNDEFINED
    return value


def _judged(ctx: RunContext, request: ActionRequest, readings: dict[str, Any]) -> Decision:
    judged = judge(request, ctx.policy, ctx.state.reread(readings))
    if isinstance(judged, Refusal):
        return Decision("DENIED", reason=judged.text)
    return judged


def _stricter(derived: Decision, fresh: Decision) -> Decision:
    return fresh if _STRICTNESS[fresh.verdict] > _STRICTNESS[derived.verdict] else derived
