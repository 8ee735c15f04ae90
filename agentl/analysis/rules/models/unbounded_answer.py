"""W115: a rule or a REQUIRES orders a field of a model's answer by `<`, `<=`, `>` or `>=`, and the field has no domain.

The field must stand there under its bare name. CHOICE and SCORE have a domain of themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.guards import comparisons
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Comparison, Path
from agentl.ir.statements import Judge, Reason
from agentl.messages import lint_models

ORDERINGS = frozenset({"<", "<=", ">", ">="})


def check(model: AgentModel) -> Iterator[Diagnostic]:
    ordered = _ordered_names(model) if model.oracles else {}
    for statement, symbol in model.oracles:
        for name in _without_domain(statement):
            if name in ordered:
                yield model.report(
                    lint_models.UNBOUNDED_ANSWER,
                    statement,
                    symbol=symbol,
                    related=(model.related(ordered[name], lint_models.COMPARED_HERE),),
                    field=name,
                )


def _ordered_names(model: AgentModel) -> dict[str, Comparison]:
    """The paths that a rule or a REQUIRES orders, each with the first comparison that does."""
    found: dict[str, Comparison] = {}
    expressions = (*(rule.guard for rule in model.agent.rules), *(tool.requires for tool in model.agent.tools))
    for expression in expressions:
        for comparison in comparisons(expression) if expression is not None else ():
            if comparison.op in ORDERINGS:
                for side in (comparison.left, comparison.right):
                    if isinstance(side, Path):
                        found.setdefault(side.path, comparison)
    return found


def _without_domain(statement: Reason | Judge) -> Iterator[str]:
    if isinstance(statement, Judge):
        yield from (question.name for question in statement.questions if question.form == "NOUL")
    else:
        yield from (field.name for field in statement.fields if field.domain is None)


RULE = AgentRule((lint_models.UNBOUNDED_ANSWER,), check)
