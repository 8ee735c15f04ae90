"""Crossings without effect: served from the journal, or performed and noted."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from agentl.durable.context import RunContext
from agentl.durable.crossings import GoLive, Outcome, Raised, Returned, Wanted
from agentl.durable.execution import NOT_STORABLE
from agentl.journal import entries
from agentl.journal.machine import Served
from agentl.runtime.answers import Answer, Failure, Value
from agentl.values import NotStorable

Road = Generator[Wanted, Outcome, Answer]


def crossing(ctx: RunContext, kind: str, key: str, wanted: Wanted, args: Mapping[str, object] | None = None) -> Road:
    """Answer with what the journal has, or perform `wanted` and append what came back or was raised."""
    served = ctx.line.crossing(kind, key, args)
    if served is not None:
        ctx.note_progress()
        return answer_of(served)
    outcome = yield wanted
    error = (outcome.class_name, outcome.text) if isinstance(outcome, Raised) else None
    value = outcome.value if isinstance(outcome, Returned) else None
    return answer_of(note(ctx, kind, key, value, error, args))


def go_live(ctx: RunContext) -> Generator[Wanted, Outcome, None]:
    """To be gone through before anything is written that nothing performed precedes.

    On the main line whoever has used up the record is live. A branch first waits until the others have used up theirs.
    """
    if ctx.line.branch:
        yield GoLive()


def note(
    ctx: RunContext,
    kind: str,
    key: str,
    value: Any,
    error: tuple[str, str] | None,
    args: Mapping[str, object] | None = None,
    usage: Mapping[str, object] | None = None,
) -> Served:
    """Append a crossing that was performed; what cannot be written down is noted as an error."""
    at = ctx.clocks.wall_ms() if kind == "ask" else None
    try:
        entry = entries.crossing(kind, key, args=args, value=value, error=error, at=at, agent=ctx.agent, usage=usage)
        ctx.append(entry)
    except NotStorable as problem:
        error = (NOT_STORABLE, str(problem))
        entry = entries.crossing(kind, key, args=args, error=error, at=at, agent=ctx.agent, usage=usage)
        ctx.append(entry)
    return Served(entry)


def answer_of(served: Served) -> Answer:
    """The entry of a crossing as an answer to the machine."""
    error = served.error
    return Value(served.value) if error is None else Failure(error.class_name, error.text)
