"""E202: a belief's CONFIDENCE above 1; the grammar takes none below 0 (syntax.md §3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for belief in model.agent.beliefs:
        confidence = belief.confidence
        if confidence is not None and confidence.value > 1:
            yield model.report(
                lint.CONFIDENCE_OUT_OF_RANGE,
                confidence,
                symbol=f"belief:{belief.path}",
                path=belief.path,
                value=confidence.text + confidence.unit,
            )


RULE = AgentRule((lint.CONFIDENCE_OUT_OF_RANGE,), check)
