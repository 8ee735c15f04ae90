"""What a failed VERIFY does: retries of the plan, then the handler, once (semantics.md §13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.runtime.ending import Ending, end
from agentl.runtime.frames import BASE_CONTROL, Frame
from agentl.runtime.statements.foreach import unbind

if TYPE_CHECKING:
    from agentl.runtime.compiler import Handler
    from agentl.runtime.machine import Machine


def fail(machine: Machine, frame: Frame, handler: Handler) -> None:
    """Abandon what the frame was doing. Only plans are run again; a handler that fails just ends."""
    control = frame.control
    machine.watched()
    if frame.unit == "branch":
        # The branches beside it run to their end; then the plan fails with this handler.
        end(machine, frame, Ending("failed", retries=handler.retries, code=handler.code))
        return
    for turn in frame.turns:
        unbind(machine, turn)
    if frame.unit == "plan":
        _fail_plan(machine, frame, handler, control)
    elif frame.unit == "handler":
        machine.leave(frame)
    else:
        machine.leave(frame)
        if machine.options.compat:
            machine.state.failed = True
        else:
            _handle(machine, handler, control, frame)


def _fail_plan(machine: Machine, frame: Frame, handler: Handler, control: frozenset[str]) -> None:
    frame.allowed = max(frame.allowed, handler.retries)
    if frame.attempt <= frame.allowed:
        machine.log("RETRY", "again", plan=frame.plan, retry=frame.attempt, allowed=frame.allowed)
        frame.attempt += 1
        frame.restart()
        return
    machine.leave(frame)
    if machine.options.compat:
        machine.state.failed = True
    machine.state.set_local("still_failed", True, BASE_CONTROL | control)
    _handle(machine, handler, control, frame)


def _handle(machine: Machine, handler: Handler, control: frozenset[str], failed: Frame) -> None:
    """Run the statements of the handler under the control label of the place that failed."""
    if handler.code:
        machine.log("INFO", "handler", where=failed.plan or failed.code)
        machine.enter(handler.code, "handler", control, plan=failed.plan)
