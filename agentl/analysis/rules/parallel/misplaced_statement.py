"""E209: GIVE or STOP outside of a plan or in a branch, or a phase word in a branch.

A phase is of the whole agent: two branches that both observe would each make the tick again.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.branches import parallels
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.statements import below
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Give, Phase, Statement, Stop
from agentl.messages import Phrase
from agentl.messages import branches as messages

# Bodies that run as a part of a plan.
_IN_A_PLAN = ("plan:", "on_verify_fail")


def check(model: AgentModel) -> Iterator[Diagnostic]:
    inside: dict[int, Statement] = {}
    for parallel, _ in parallels(model):
        stack = list(below(parallel))
        while stack:
            statement = stack.pop()
            inside[id(statement)] = statement
            stack.extend(below(statement))
    for statement, symbol in model.sites:
        if id(statement) in inside:
            where = messages.IN_A_BRANCH if isinstance(statement, Give | Stop | Phase) else None
        else:
            is_end = isinstance(statement, Give | Stop) and not symbol.startswith(_IN_A_PLAN)
            where = messages.OUTSIDE_A_PLAN if is_end else None
        if where is not None:
            yield model.report(
                messages.MISPLACED_STATEMENT, statement, symbol=symbol, word=_word(statement), where=Phrase(where)
            )


def _word(statement: Statement) -> str:
    return statement.phase if isinstance(statement, Phase) else statement.kind.upper()


RULE = AgentRule((messages.MISPLACED_STATEMENT,), check)
