"""O102: a plan repeats something: LOOP, FOREACH."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Foreach, Loop
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, Loop, Foreach):
        yield model.report(messages.LOOP, statement, symbol=plan.symbol, word=statement.kind.upper(), plan=plan.name)


RULE = AgentRule((messages.LOOP,), check, profile="sequential")
