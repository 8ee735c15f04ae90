"""What people are told while a run goes on: the trace, the lines of a start or resume, settlings, the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.cli.files import reason
from agentl.diagnostics import Diagnostic
from agentl.durable.context import Settled
from agentl.durable.run import DurableRun
from agentl.durable.runtime import Runtime
from agentl.journal.inspection import Inspection, State
from agentl.messages import Text
from agentl.messages import command as command_messages
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
        if again:
            if self._trace_all and not self._quiet:
                console.result(f"↻ {event.render()}")
            return
        if not self._quiet:
            console.result(event.render(), flush=True)
        if self._events is not None:
            self._events.write(event)

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


class EventFile:
    """Writes events, one JSON object a line, flushed at once (host-api §12). `is_lost`: not all of them are there.

    The trace ignores what a sink raises: a file that takes nothing more is said once, and the run goes on.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._number = 0
        self.is_lost = False
        self._file: TextIO | None = None

    def begin(self) -> None:
        """Make the file empty: only once the run is this process's own, so that a refusal leaves it as it was."""
        try:
            file = Path(self._path).open("w", encoding="utf-8", errors="backslashreplace", newline="\n")  # noqa: SIM115
        except OSError as error:
            raise CommandError.of(command_messages.CANNOT_WRITE, path=self._path, reason=reason(error)) from error
        self._file = file

    def write(self, event: TraceEvent) -> None:
        """Write one event; nothing once the file has failed."""
        self._number += 1
        data: dict[str, Any] = {
            "seq": self._number,
            "agent": event.agent,
            "tick": event.tick,
            "kind": event.kind,
            "text": event.text,
            "detail": event.detail,
        }
        file = self._file
        if file is not None and not self.is_lost:
            self._guarded(lambda: file.write(json.dumps(data, ensure_ascii=False) + "\n"))
            self._guarded(file.flush)

    def close(self) -> None:
        """Close the file; may be called after a failure."""
        if self._file is not None:
            self._guarded(self._file.close)

    def _guarded(self, operation: Callable[[], object]) -> None:
        try:
            operation()
        except OSError as error:
            if not self.is_lost:
                self.is_lost = True
                shown = Diagnostic(command_messages.CANNOT_WRITE, {"path": self._path, "reason": reason(error)})
                console.show([shown])
