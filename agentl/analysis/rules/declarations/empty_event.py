"""E005: an EVENT without any statement. A WHEN is no statement; an empty `THEN { }` is one."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for event in model.agent.events:
        if not event.body:
            yield model.report(lint.EMPTY_EVENT, event, symbol=f"event:{event.source}", source=event.source)


RULE = AgentRule((lint.EMPTY_EVENT,), check)
