"""O106: a plan asks a model: REASON, JUDGE."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Judge, Reason
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, Reason, Judge):
        yield model.report(messages.MODEL, statement, symbol=plan.symbol, word=statement.kind.upper(), plan=plan.name)


RULE = AgentRule((messages.MODEL,), check, profile="sequential")
