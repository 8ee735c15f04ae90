"""W104: a belief that something reads and nothing gives a new value. A belief nobody reads is left alone."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_knowledge


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for belief in model.agent.beliefs:
        if belief.path in model.referenced and belief.path not in model.refreshed:
            yield model.report(lint_knowledge.STALE_BELIEF, belief, symbol=f"belief:{belief.path}", path=belief.path)


RULE = AgentRule((lint_knowledge.STALE_BELIEF,), check)
