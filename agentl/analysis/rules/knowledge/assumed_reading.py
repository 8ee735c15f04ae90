"""W132: the guard of a closed rule reads an observed path, exactly, whose observer has ON UNKNOWN DEGRADE.

The value put in its place is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_knowledge


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for observer in model.agent.observers:
        rules = model.guards.closed_reading.get(observer.path, ())
        if observer.on_unknown == "DEGRADE" and rules:
            yield model.report(
                lint_knowledge.ASSUMED_READING,
                observer,
                symbol=f"observer:{observer.path}",
                related=(model.related(rules[0], lint_knowledge.RULE_READS_IT),),
                path=observer.path,
                target=rules[0].target,
            )


RULE = AgentRule((lint_knowledge.ASSUMED_READING,), check)
