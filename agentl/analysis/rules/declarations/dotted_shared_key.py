"""E204: a key of SHARED memory with a dot, listed or written; `SHARED.a.b` would read field `b` of `a`."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    memory = model.agent.memory
    if memory is None:
        return
    for key in memory.shared:
        if "." in key:
            yield model.report(lint.DOTTED_SHARED_KEY, memory, symbol="memory", key=key)
    for write in memory.writes:
        if write.into == "SHARED" and "." in write.key:
            yield model.report(lint.DOTTED_SHARED_KEY, write, symbol="memory", key=write.key)


RULE = AgentRule((lint.DOTTED_SHARED_KEY,), check)
