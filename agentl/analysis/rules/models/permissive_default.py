"""W134: a field of a model's answer decides a closed rule, and without an answer that rule does not apply.

Without DEFAULT one finding for the field. With one, a finding for each rule whose guard is then surely false, while all
else that the agent may know is unknown. A DEFAULT that has no value by itself is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentl.analysis.answer_fields import AnswerField, answer_fields
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Rule
from agentl.ir.statements import Judge, Reason
from agentl.messages import Phrase, lint_models


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, symbol in model.oracles:
        for field in answer_fields(statement):
            rules = model.guards.closed_reading_any(field.names)
            if rules:
                yield from _of_field(model, statement, symbol, field, rules)


def _of_field(
    model: AgentModel, statement: Reason | Judge, symbol: str, field: AnswerField, rules: Sequence[Rule]
) -> Iterator[Diagnostic]:
    # WHY: only here are guards evaluated; other programs do not load the evaluator.
    from agentl.analysis.assumed import opened_by
    from agentl.analysis.closing_default import closing_default
    from agentl.logic.render import render_expression

    if field.default is None:
        problem, opened = Phrase(lint_models.NO_DEFAULT), rules[:1]
    else:
        problem = Phrase(lint_models.DEFAULT_OPENS, value=render_expression(field.default))
        opened = tuple(opened_by(model, field, rules))
    fixes = closing_default(model, field, rules) if opened else ()
    for rule in opened:
        yield model.report(
            lint_models.PERMISSIVE_DEFAULT,
            statement,
            symbol=symbol,
            related=(model.related(rule, lint_models.RULE_READS_ANSWER),),
            fixes=fixes,
            target=rule.target,
            field=field.name,
            problem=problem,
        )


RULE = AgentRule((lint_models.PERMISSIVE_DEFAULT,), check)
