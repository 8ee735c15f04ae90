"""W133: a REASON or JUDGE that asks for more than eight fields."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import field_names
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_models

MOST = 8


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, symbol in model.oracles:
        count = len(field_names(statement))
        if count > MOST:
            word = statement.kind.upper()
            yield model.report(lint_models.OVERLONG_ANSWER, statement, symbol=symbol, word=word, count=count, most=MOST)


RULE = AgentRule((lint_models.OVERLONG_ANSWER,), check)
