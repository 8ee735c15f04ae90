"""O113: a plan has no GIVE and no STOP among its statements, those inside of others left out."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import sequences
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Give, Stop
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for plan in sequences(model):
        if not any(isinstance(statement, Give | Stop) for statement in plan.statements):
            yield model.report(messages.NO_TERMINAL, plan.plan, symbol=plan.symbol, plan=plan.name)


RULE = AgentRule((messages.NO_TERMINAL,), check, profile="sequential")
