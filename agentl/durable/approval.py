"""Approval: asking a person, and what becomes of an answer after a restart (decision 9, policy.md §5)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from agentl.durable.answering import go_live
from agentl.durable.context import RunContext
from agentl.durable.crossings import AskApprover, Outcome, Raised, Returned, Wanted
from agentl.hosting.outcomes import PENDING
from agentl.journal import entries
from agentl.journal.machine import Served
from agentl.kernel.approval import approval_granted
from agentl.kernel.errors import KernelAbort
from agentl.kernel.gate import show
from agentl.kernel.request import ActionRequest, Decision
from agentl.values import NotStorable


class WaitingForPerson(KernelAbort):
    """An approver answered PENDING: the run stops here and is resumed when there is an answer (exit 75)."""

    def __init__(self, subject: str) -> None:
        super().__init__(subject)
        self.subject = subject


def approve(ctx: RunContext, request: ActionRequest, decision: Decision) -> Generator[Wanted, Outcome, Any]:
    """Return the approver's answer, served or asked for. An exception of the approver is no approval.

    Raises WaitingForPerson when the approver has put the question to somebody who has not answered.
    """
    key = request.render()
    bound = {"action": request.action_hash, "program": ctx.run_digest}
    ctx.machine.note_approval(request, "pending", decision.rule)
    while True:
        served = ctx.line.crossing("approve", key, bound)
        if served is None:
            return (yield from _ask(ctx, request, decision, key, bound))
        ctx.note_progress()
        if ctx.line.optional_annotation("lapse", key) is not None:
            ctx.note_progress()
            continue
        if _stale(ctx, served):
            yield from go_live(ctx)
            fields = {"seq": served.seq}
            ctx.append(entries.annotation("lapse", key, fields, agent=ctx.agent, at=ctx.clocks.wall_ms()))
            continue
        return _noted(ctx, request, decision.rule, served.value if served.error is None else None, served.error)


def _ask(
    ctx: RunContext, request: ActionRequest, decision: Decision, key: str, bound: dict[str, Any]
) -> Generator[Wanted, Outcome, Any]:
    outcome = yield AskApprover(show(request))
    now = ctx.clocks.wall_ms()
    if isinstance(outcome, Returned) and outcome.value is PENDING:
        ctx.append(entries.annotation("request", key, bound, agent=ctx.agent, at=now))
        raise WaitingForPerson(key)
    if isinstance(outcome, Raised):
        error = (outcome.class_name, outcome.text)
        ctx.append(entries.crossing("approve", key, args=bound, error=error, at=now, agent=ctx.agent))
        return _noted(ctx, request, decision.rule, None, error)
    answer = outcome.value if isinstance(outcome, Returned) else False
    try:
        entry = entries.crossing("approve", key, args=bound, value=answer, at=now, agent=ctx.agent)
    except NotStorable:
        # What cannot be written down is none of the approval words either.
        answer = False
        entry = entries.crossing("approve", key, args=bound, value=answer, at=now, agent=ctx.agent)
    ctx.append(entry)
    return _noted(ctx, request, decision.rule, answer, None)


def _noted(
    ctx: RunContext, request: ActionRequest, rule: str | None, answer: Any, error: tuple[str, str] | None
) -> Any:
    if error is not None:
        ctx.machine.note_approver_failed(request, *error)
        return None
    if approval_granted(answer):
        ctx.machine.note_approval(request, "granted", rule)
    return answer


def _stale(ctx: RunContext, served: Served) -> bool:
    """An answer that no intent follows is used after a restart only while it is fresh."""
    if not ctx.is_live or served.error is not None or not approval_granted(served.value):
        return False
    age_ms = ctx.clocks.wall_ms() - int(served.entry["at"])
    return not 0 <= age_ms <= ctx.options.approval_life_s * 1000
