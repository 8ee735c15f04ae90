"""The road: every request of the machine, to the journal or through it to the outside, in the order of decision 1.

Generators over data: what they yield is performed by a driver (`boundary.py`), what they return is told to the
machine. A run, a resume and a replay take the same road; the journal alone says what is served and what is live.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from agentl.durable.answering import Road, crossing, go_live
from agentl.durable.approval import approve
from agentl.durable.context import RunContext
from agentl.durable.crossings import AskOperator, DrainEvents, FindSubagent, Outcome, ReadSensor, Wanted
from agentl.durable.execution import Execution, announce, call, conclude, is_unknown, served_answer
from agentl.durable.latch import Carried, latch, too_late
from agentl.durable.oracles import ask_model
from agentl.durable.recheck import recheck
from agentl.durable.settling import settle
from agentl.hosting.secrets import handle_violation
from agentl.journal import entries
from agentl.kernel.approval import approval_granted
from agentl.kernel.gate import DELEGATE_RISK, MISSING, judge, propose, propose_delegate
from agentl.kernel.request import ActionRequest, Decision, Identity, Refusal
from agentl.runtime.answers import Absent, Failure, Refused, Value
from agentl.runtime.requests import Act, Ask, Drain, Judge, Post, Read, Reason, Request, SelectPlan

VIOLATION = "violation"  # in a `recheck`: what the host of that moment could not do


def answer(ctx: RunContext, request: Request) -> Road:
    """Return the answer to a request of the machine; branches of a PARALLEL are the driver's."""
    if isinstance(request, Read):
        return (yield from crossing(ctx, "read", request.path, ReadSensor(request.path)))
    if isinstance(request, Act):
        return (yield from act(ctx, request))
    if isinstance(request, Drain):
        return (yield from crossing(ctx, "drain", "", DrainEvents()))
    if isinstance(request, Ask):
        wanted = AskOperator(request.question, request.reason, request.timeout)
        return (yield from crossing(ctx, "ask", request.question, wanted, {"reason": request.reason}))
    if isinstance(request, Post):
        return Value(ctx.post(request))
    assert isinstance(request, Reason | Judge | SelectPlan)
    return (yield from ask_model(ctx, request))


def act(ctx: RunContext, asked: Act) -> Road:
    """One action: contract, decision, breaker, latch, recheck, approval, permit, intent, host, result."""
    request = yield from _proposed(ctx, asked)
    if isinstance(request, Refusal):
        return Refused(request.stage, request.rule, request.text)
    decision = judge(request, ctx.policy, ctx.state)
    if isinstance(decision, Refusal):
        return Refused(decision.stage, decision.rule, decision.text)
    if decision.shadowed_args:
        ctx.machine.note_shadowed(request, decision.shadowed_args)
    if decision.verdict == "DENIED":
        return Refused("policy", decision.rule, decision.reason)
    if asked.breaker_open:
        return Refused("breaker", None, "the circuit breaker is open")
    if ctx.options.dry_run:
        ctx.planned.append(f"{request.render()} [{decision.verdict}]")
        return Refused("dry_run", None, "dry run")
    carried = yield from latch(ctx, request)
    if not isinstance(carried, Carried):
        return carried
    return (yield from _approved(ctx, request, decision, carried))


def _proposed(ctx: RunContext, asked: Act) -> Generator[Wanted, Outcome, ActionRequest | Refusal]:
    if asked.kind == "delegate":
        return _proposed_delegate(ctx, asked)
    proposed = propose(
        ctx.machine.contracts[asked.tool],
        asked.args,
        origin=asked.origin,
        confidence=asked.confidence,
        provenance=asked.labels,
        max_entry_bytes=ctx.options.max_entry_bytes,
    )
    if isinstance(proposed, ActionRequest):
        violation = yield from _violation(ctx, proposed)
        if violation:
            return Refusal("isolation", violation)
    return proposed


def _proposed_delegate(ctx: RunContext, asked: Act) -> ActionRequest | Refusal:
    """A sub-agent is as risky as the TOOL of its name, CRITICAL without one (policy.md §8)."""
    declared = ctx.machine.contracts.get(asked.tool)
    return propose_delegate(
        asked.tool,
        asked.args,
        risk=DELEGATE_RISK if declared is None else declared.risk,
        confidence=asked.confidence,
        provenance=asked.labels,
        max_entry_bytes=ctx.options.max_entry_bytes,
    )


def _violation(ctx: RunContext, request: ActionRequest) -> Generator[Wanted, Outcome, str]:
    """Why the secret parameters of a call cannot be filled, "" when they can.

    That is a fact about the host of the process that asked: it is noted, and served when derived again.
    """
    standing = ctx.line.peek()
    if standing is not None:
        if standing.entry["kind"] != "recheck" or standing.key != request.tool or VIOLATION not in standing.fields:
            return ""
        ctx.line.annotation("recheck", request.tool)
        ctx.note_progress()
        return str(standing.fields[VIOLATION])
    violation = ctx.is_live and handle_violation(ctx.host, request.tool, request.args)
    if not violation:
        return ""
    yield from go_live(ctx)
    fields: dict[str, Any] = {"readings": {}, "verdict": "DENIED", "rule": None, VIOLATION: violation}
    ctx.append(entries.annotation("recheck", request.tool, fields, agent=ctx.agent, at=ctx.clocks.wall_ms()))
    return violation


def _approved(ctx: RunContext, request: ActionRequest, decision: Decision, carried: Carried) -> Road:
    """Recheck and approval, in the order in which the journal has them or the live run needs them."""
    fresh = yield from recheck(ctx, request, decision)
    if fresh is not None and fresh.verdict == "DENIED":
        return Refused("recheck", fresh.rule, fresh.reason)
    verdict = fresh or decision
    given: Any = MISSING
    if verdict.verdict == "APPROVAL_REQUIRED":
        given = yield from approve(ctx, request, verdict)
        # An answer of an earlier process is never acted on without a look at the world as it is now.
        is_due = approval_granted(given)
        again = None if fresh is not None else (yield from recheck(ctx, request, verdict, is_due=is_due))
        if again is not None and again.verdict == "DENIED":
            return Refused("recheck", again.rule, again.reason)
    refused = too_late(ctx, carried)
    if refused is not None:
        return refused
    if request.kind == "delegate":
        present = yield from crossing(ctx, "delegate_lookup", request.tool, FindSubagent(request.tool))
        if isinstance(present, Failure) or not getattr(present, "value", False):
            return Absent()
    sequence = ctx.state.sequence + 1
    identity = Identity(ctx.run_id, ctx.key_space, ctx.agent, ctx.state.tick, sequence, ctx.line.branch)
    execution = Execution(request, verdict, identity, given, carried.first_key, carried.retry_of)
    return (yield from _execute(ctx, execution))


def _execute(ctx: RunContext, execution: Execution) -> Road:
    permit = execution.permit(ctx)
    if isinstance(permit, Refusal):
        return Refused(permit.stage, permit.rule, permit.text)
    ctx.state.sequence = execution.identity.sequence
    served = ctx.line.intent(execution.tool, action_id=permit.action_id, digest=permit.action_hash)
    if served is not None:
        ctx.note_progress()
        return (yield from _after_intent(ctx, execution))
    yield from go_live(ctx)
    announce(ctx, execution, permit)
    outcome = yield from call(ctx, execution, 1, permit)
    if is_unknown(outcome):
        return (yield from settle(ctx, execution, outcome))
    return conclude(ctx, execution, outcome)


def _after_intent(ctx: RunContext, execution: Execution) -> Road:
    """The intent stands in the journal: its recorded end is served; without one it is settled."""
    rechecked: Decision | None = None
    while not ctx.is_live:
        if ctx.line.words():
            ctx.note_progress()
            continue
        again = yield from recheck(ctx, execution.request, execution.decision)
        if again is not None:
            rechecked = again
        elif ctx.line.optional_annotation("resolution", execution.tool) is None:
            served = ctx.line.crossing(execution.request.kind, execution.tool, execution.args)
            assert served is not None
            ctx.note_progress()
            return served_answer(execution, served, rechecked)
        ctx.note_progress()
    return (yield from settle(ctx, execution, None))
