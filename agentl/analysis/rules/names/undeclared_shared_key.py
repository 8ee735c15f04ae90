"""E008: a memory WRITE into `SHARED.k` where MEMORY { SHARED } does not list `k`; without a key, `k` is `records`."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    memory = model.agent.memory
    if memory is None:
        return
    listed = frozenset(memory.shared)
    keys = Spelling(listed)
    for write in memory.writes:
        if write.into == "SHARED" and write.key not in listed:
            # WHY: only a program with a finding pays for its fix.
            from agentl.analysis.memory_edits import listed_in_shared

            hint = keys.did_you_mean(write.key)
            fixes = listed_in_shared(model, write.key)
            yield model.report(
                lint.UNDECLARED_SHARED_KEY, write, symbol="memory", hint=hint, fixes=fixes, key=write.key
            )


RULE = AgentRule((lint.UNDECLARED_SHARED_KEY,), check)
