"""O109: a plan does several things at the same time: PARALLEL."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Parallel
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, Parallel):
        yield model.report(messages.PARALLEL, statement, symbol=plan.symbol, word="PARALLEL", plan=plan.name)


RULE = AgentRule((messages.PARALLEL,), check, profile="sequential")
