"""O103: a plan has something to fall back on: VERIFY with its ON FAIL, RETRY, ROLLBACK."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import in_plans
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Retry, Rollback, Verify
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, plan in in_plans(model, Verify, Retry, Rollback):
        yield model.report(
            messages.FALLBACK, statement, symbol=plan.symbol, word=statement.kind.upper(), plan=plan.name
        )


RULE = AgentRule((messages.FALLBACK,), check, profile="sequential")
