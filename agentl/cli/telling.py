"""What people are told while a run goes on: the trace, the lines of a start or resume, settlings, the end."""

from __future__ import annotations

from agentl.cli import console
from agentl.cli.event_file import EventFile
from agentl.durable.context import Settled
from agentl.durable.run import DurableRun
from agentl.durable.runtime import Runtime
from agentl.journal.inspection import Inspection, State
from agentl.messages import Text
from agentl.messages import durable as durable_messages
from agentl.messages import running as messages
from agentl.runtime.trace import TraceEvent

_SETTLED = {
    "retry": durable_messages.SETTLED_RETRY,
    "reconciled": durable_messages.SETTLED_RECONCILED,
    "not_executed": durable_messages.SETTLED_NOT_EXECUTED,
    "in_doubt": durable_messages.SETTLED_IN_DOUBT,
    "unknown": durable_messages.SETTLED_IN_DOUBT,
    "late": durable_messages.LATE_ANSWER,
}


class Narrator:
    """Prints the trace as it happens and says how actions were settled."""

    def __init__(self, quiet: bool, trace_all: bool, events: EventFile | None) -> None:
        self._quiet = quiet
        self._trace_all = trace_all
        self._events = events

    def event(self, event: TraceEvent, again: bool) -> None:
        """Events derived again go nowhere unless all are wanted; then they are marked (decision 27)."""
        if self._events is not None:
            self._events.write(event, again)
        if again:
            if self._trace_all and not self._quiet:
                console.result(f"↻ {event.render()}")
            return
        if not self._quiet:
            console.result(event.render(), flush=True)

    def settled(self, settled: Settled) -> None:
        """Say it at once: a wait and a repeated call are what people want to see."""
        if settled.how == "waiting":
            text = messages.WAITING_AGE.text(tool=settled.tool, action_id=settled.action_id, seconds=settled.reason)
        elif settled.how == "torn":
            text = durable_messages.TORN_TAIL_CUT.text(count=settled.size, name=settled.reason)
        else:
            text = _SETTLED[settled.how].text(tool=settled.tool, action_id=settled.action_id)
        console.message(text)


def tell_opening(run: DurableRun, *, is_durable: bool) -> None:
    """The first lines: what was started or resumed, and what waits to be settled."""
    if not is_durable:
        console.message(messages.NOT_DURABLE.text())
        return
    inspection = run.inspection
    if not run.resumed:
        console.message(durable_messages.STARTED.text(run_id=run.run_id, path=run.store.path))
        if run.shares_keys:
            console.message(durable_messages.KEY_SPACE_SHARED.text(run_id=run.run_id))
        return
    text = messages.REDERIVED if inspection.state is State.ENDED else durable_messages.RESUMED
    console.message(text.text(run_id=run.run_id, count=inspection.crossings))
    if run.keeps_modules:
        console.message(messages.KEPT_MODULES.text())
    for action in inspection.pending:
        console.message(durable_messages.PENDING.text(tool=action.tool, action_id=action.action_id))
    if run.torn_name:
        console.message(durable_messages.TORN_TAIL_CUT.text(count=inspection.reading.torn, name=run.torn_name))


def summary(run: DurableRun, runtime: Runtime) -> str:
    """One line: how the run ended and what it did."""
    metrics = runtime.metrics if run.society is None else run.society.metrics
    line = messages.ENDED.text(
        status=status_word(run.status),
        ticks=runtime.session.ticks_done,
        calls=metrics["tool_calls"],
        blocked=metrics["blocked"],
        failures=metrics["tool_failures"],
    )
    score = runtime.state.world.get("goal.score") if run.society is None else None
    return line if score is None else f"{line} · {messages.GOAL.text(score=f'{score:g}')}"


def tell_end(run: DurableRun) -> None:
    """Name what is in doubt and what can be done."""
    if run.is_call_under_way:
        console.message(messages.CALL_UNDER_WAY.text())
    for action in run.doubts:
        console.message(messages.IN_DOUBT_HELP.text(tool=action.tool, action_id=action.action_id, key=action.key))


def status_word(status: str) -> str:
    """A status in the reader's language."""
    known: Text | None = messages.STATUS_WORDS.get(status)
    return status if known is None else known.text()


def counted(inspection: Inspection) -> str:
    """`read 4, invoke 2`: the crossings by kind."""
    from agentl.journal.kinds import CROSSINGS

    return ", ".join(f"{kind} {count}" for kind, count in sorted(inspection.counts.items()) if kind in CROSSINGS)
