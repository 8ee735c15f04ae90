"""W136: a closed rule reads the verdict of a JUDGE that never abstains, and nothing reads how sure the model is of it.

Reading `judge.<field>.p` or `.confidence` anywhere in the agent is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.answer_fields import answer_fields
from agentl.analysis.edits import appended
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Judge
from agentl.messages import Phrase, lint_models

ENOUGH = "0.8"


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, symbol in model.oracles:
        if not isinstance(statement, Judge):
            continue
        for question, field in zip(statement.questions, answer_fields(statement), strict=True):
            if question.abstain_below is not None or _is_hedged(model, field.name):
                continue
            rules = model.guards.closed_reading_any(field.names)
            if rules:
                title = Phrase(lint_models.ABSTAIN_BELOW)
                yield model.report(
                    lint_models.UNHEDGED_VERDICT,
                    statement,
                    symbol=symbol,
                    related=(model.related(rules[0], lint_models.RULE_READS_ANSWER),),
                    fixes=appended(model, question, f" ABSTAIN BELOW {ENOUGH}", title, safe=False),
                    target=rules[0].target,
                    field=field.name,
                )


def _is_hedged(model: AgentModel, name: str) -> bool:
    return not model.referenced.isdisjoint((f"judge.{name}.p", f"judge.{name}.confidence"))


RULE = AgentRule((lint_models.UNHEDGED_VERDICT,), check)
