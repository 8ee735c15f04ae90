"""W127: a DELEGATE whose target is no declared tool, so that no RISK is known and CRITICAL is assumed; one for each."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Delegate
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    tools = Spelling(model.tools)
    for statement, symbol in model.sites:
        if isinstance(statement, Delegate) and statement.to not in model.tools:
            hint = tools.did_you_mean(statement.to)
            yield model.report(lint.UNDESCRIBED_DELEGATE, statement, symbol=symbol, hint=hint, target=statement.to)


RULE = AgentRule((lint.UNDESCRIBED_DELEGATE,), check)
