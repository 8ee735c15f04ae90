"""O105: a plan waits for a person: ASK, ESCALATE."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Ask, Escalate
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, Ask, Escalate):
        yield model.report(
            messages.INTERACTION, statement, symbol=plan.symbol, word=statement.kind.upper(), plan=plan.name
        )


RULE = AgentRule((messages.INTERACTION,), check, profile="sequential")
