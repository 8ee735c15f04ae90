"""W131: the guard of a closed rule reads an observed path, exactly, and its observer has no ON UNKNOWN."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import appended
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import Phrase, lint_knowledge


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for observer in model.agent.observers:
        rules = model.guards.closed_reading.get(observer.path, ())
        if observer.on_unknown is None and rules:
            title = Phrase(lint_knowledge.ASK_WHEN_SILENT)
            yield model.report(
                lint_knowledge.SILENT_SENSOR,
                observer,
                symbol=f"observer:{observer.path}",
                fixes=appended(model, observer, " ON UNKNOWN ESCALATE", title, safe=True),
                related=(model.related(rules[0], lint_knowledge.RULE_READS_IT),),
                path=observer.path,
                target=rules[0].target,
            )


RULE = AgentRule((lint_knowledge.SILENT_SENSOR,), check)
