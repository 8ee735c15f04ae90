"""O101: a plan branches: IF. A block THEN { … } without a condition is no statement of a sequential plan either."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Block, If
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, If, Block):
        is_block = isinstance(statement, Block)
        yield model.report(
            messages.BRANCH,
            statement,
            symbol=plan.symbol,
            hint=(messages.WITHOUT_BLOCK, {}) if is_block else None,
            word="THEN" if is_block else "IF",
            plan=plan.name,
        )


RULE = AgentRule((messages.BRANCH,), check, profile="sequential")
