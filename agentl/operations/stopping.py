"""Why an operation goes no further: the first call that did not succeed (operations-contract.md §7 Stop …)."""

from __future__ import annotations

from agentl.operations.problems import Problem
from agentl.runtime.answers import Answer, Done, Doubt, Failure, Refused
from agentl.runtime.requests import Act, Request
from agentl.runtime.trace import TraceEvent

_BY_STAGE = {"contract": "InputRefused", "isolation": "InputRefused"}


def unsuccessful(asked: Request, answer: Answer, given: Problem | None = None) -> Problem | None:
    """Why this answer ends the operation; None when it goes on. `given`: what a refused approval was refused for."""
    if not isinstance(asked, Act) or isinstance(answer, Done):
        return None
    if isinstance(answer, Refused):
        if answer.stage == "approval" and given is not None:
            return given
        wire = _BY_STAGE.get(answer.stage, "PolicyDenied")
        return Problem(wire, {"tool": asked.tool}, reason=answer.text)
    if isinstance(answer, Failure):
        return _failed(asked.tool, answer)
    assert isinstance(answer, Doubt)
    return Problem("EffectOutcomeUnknown", {"tool": asked.tool})


def _failed(tool: str, answer: Failure) -> Problem:
    if answer.error_class == "SecretInOutput":
        return Problem("SecretInOutput", {"tool": tool})
    if answer.error_class in ("OutputRefused", "ResultNotStorable"):
        return Problem("OutputRefused", {"tool": tool}, reason=answer.text)
    return Problem("HandlerError", {"tool": tool}, reason=answer.text)


class Skips:
    """Hears of calls the machine passed over; the first is why the operation ends."""

    def __init__(self) -> None:
        self.first: Problem | None = None

    def hear(self, event: TraceEvent, again: bool) -> None:
        """Take an event of the trace."""
        self.first = self.first or skipped(event)


def skipped(event: TraceEvent) -> Problem | None:
    """Why a call was passed over without being asked for; None for every other event."""
    tool = str(event.facts.get("target", ""))
    if (event.kind, event.name) == ("INFO", "requires"):
        return Problem("RequiresNotMet", {"tool": tool})
    if (event.kind, event.name) in (("BLOCKED", "arguments"), ("BLOCKED", "undeclared")):
        shown = dict(event.shown or {})
        return Problem("InputRefused", {"tool": tool}, reason=shown.get("reason", event.name))
    return None
