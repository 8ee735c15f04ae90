"""E002: `THEN p` or a bare name is to run a plan that the agent does not declare; the order does not matter."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import PlanReference
from agentl.messages import branches, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    plans = Spelling(model.plans)
    for statement, symbol in model.sites:
        if isinstance(statement, PlanReference) and statement.plan not in model.plans:
            hint = _behind_number(model, statement) or _hint(model, statement.plan, plans)
            yield model.report(
                lint.UNDECLARED_PLAN,
                statement,
                symbol=symbol,
                hint=hint,
                fixes=renamed(model, statement, statement.plan, hint),
                plan=statement.plan,
            )


def _behind_number(model: AgentModel, statement: PlanReference) -> Hint | None:
    """`1e6` is read as the number 1 and the plan `e6`."""
    start, text = model.places.of(statement).start, model.places.source(statement).text
    if not text[start - 1 : start].isdigit():
        return None
    from agentl.syntax.hints import behind_number

    return behind_number(statement.plan), {}


def _hint(model: AgentModel, name: str, plans: Spelling) -> Hint | None:
    if name in branches.HOW_TO_WRITE:
        return branches.HOW_TO_WRITE[name], {}
    if name in model.tools:
        return lint.TOOL_NEEDS_PARENTHESES, {"name": name}
    return plans.did_you_mean(name)


RULE = AgentRule((lint.UNDECLARED_PLAN,), check)
