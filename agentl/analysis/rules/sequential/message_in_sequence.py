"""O107: a plan sends to another agent: MESSAGE."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Send
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, Send):
        yield model.report(messages.MESSAGE, statement, symbol=plan.symbol, word="MESSAGE", plan=plan.name)


RULE = AgentRule((messages.MESSAGE,), check, profile="sequential")
