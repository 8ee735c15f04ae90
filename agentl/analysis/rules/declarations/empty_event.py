"""E005: an EVENT without any statement. A WHEN is no statement; an empty `THEN { }` is one."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import removed
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import Phrase, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for event in model.agent.events:
        if not event.body:
            symbol, fixes = f"event:{event.source}", removed(model, event, Phrase(lint.REMOVE_HANDLER), safe=False)
            yield model.report(lint.EMPTY_EVENT, event, symbol=symbol, fixes=fixes, source=event.source)


RULE = AgentRule((lint.EMPTY_EVENT,), check)
