"""E206: a number, text or list stands in a policy guard where a yes-or-no question must stand.

Looked at are the guard itself and the operands of AND, OR and NOT in it. Paths and functions of yes-or-no kind pass:
what they hold is known only at run time.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.functions import NUMERIC
from agentl.analysis.guards import questions
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir import expressions as ir
from agentl.messages import Phrase, Text, lint

_FORMS: dict[type, Text] = {
    ir.Text: lint.FORM_TEXT,
    ir.Datetime: lint.FORM_TEXT,
    ir.ListLiteral: lint.FORM_LIST,
    **dict.fromkeys((ir.Number, ir.Negation, ir.Sum, ir.Difference, ir.Product, ir.Quotient), lint.FORM_NUMBER),
}


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for rule in model.agent.rules:
        for operand in questions(rule.guard) if rule.guard is not None else ():
            form = _form(operand, model)
            if form is not None:
                yield model.report(
                    lint.GUARD_IS_NO_QUESTION,
                    operand,
                    symbol=f"rule:{rule.target}",
                    target=rule.target,
                    form=Phrase(form),
                )


def _form(expression: ir.Expression, model: AgentModel) -> Text | None:
    if isinstance(expression, ir.FunctionCall):
        if expression.function in model.tools:
            return None
        if expression.function == "ORIGIN":
            return lint.FORM_LIST
        return lint.FORM_NUMBER if expression.function in NUMERIC else None
    return _FORMS.get(type(expression))


RULE = AgentRule((lint.GUARD_IS_NO_QUESTION,), check)
