"""O104: a plan calls something that is no tool: another plan, another agent, a phase of the agent.

UPDATE_MEMORY is O108's.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Delegate, Phase, PlanReference, Statement
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, PlanReference, Delegate, Phase):
        if not (isinstance(statement, Phase) and statement.phase == "UPDATE_MEMORY"):
            yield model.report(
                messages.NESTED_CALL, statement, symbol=plan.symbol, word=_word(statement), plan=plan.name
            )


def _word(statement: Statement) -> str:
    match statement:
        case PlanReference():
            return f"`{statement.plan}`"
        case Phase():
            return statement.phase
    return statement.kind.upper()


RULE = AgentRule((messages.NESTED_CALL,), check, profile="sequential")
