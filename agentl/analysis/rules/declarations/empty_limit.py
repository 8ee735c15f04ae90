"""E203: MAX 0 on a LOOP or FOREACH; it says "never", and AGENT-L 1.10 silently read it as the default bound."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Foreach, Loop
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    cycle = model.agent.loop
    if cycle is not None and cycle.limit is not None and cycle.limit < 1:
        yield model.report(lint.EMPTY_LIMIT, cycle, symbol="loop", construct="LOOP", limit=cycle.limit)
    for statement, symbol in model.sites:
        if isinstance(statement, Loop | Foreach) and statement.limit is not None and statement.limit < 1:
            construct = "LOOP" if isinstance(statement, Loop) else "FOREACH"
            yield model.report(lint.EMPTY_LIMIT, statement, symbol=symbol, construct=construct, limit=statement.limit)


RULE = AgentRule((lint.EMPTY_LIMIT,), check)
