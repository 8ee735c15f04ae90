"""O101: a plan branches: IF."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import If
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, If):
        yield model.report(messages.BRANCH, statement, symbol=plan.symbol, word="IF", plan=plan.name)


RULE = AgentRule((messages.BRANCH,), check, profile="sequential")
