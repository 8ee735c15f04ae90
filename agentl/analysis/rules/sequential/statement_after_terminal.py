"""O114: a plan goes on after its first GIVE or STOP. One finding, at what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import sequences
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Give, Stop
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for plan in sequences(model):
        ends = ((end, after) for end, after in pairwise(plan.statements) if isinstance(end, Give | Stop))
        for end, after in ends:
            yield model.report(
                messages.AFTER_TERMINAL,
                after,
                symbol=plan.symbol,
                related=(model.related(end, messages.ENDS_HERE),),
                plan=plan.name,
            )
            break


RULE = AgentRule((messages.AFTER_TERMINAL,), check, profile="sequential")
