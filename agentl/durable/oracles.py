"""Models on the road: answers are served, costs counted, budgets kept (semantics.md §14, §15).

Contexts and schemas are not recorded or compared (durable.md §1): a change in what the model saw is only noticed if it
changes what follows.
"""

from __future__ import annotations

from typing import Any

from agentl.durable.answering import Road, go_live, note
from agentl.durable.context import RunContext
from agentl.durable.crossings import AskModel, ModelAnswer, Raised, Returned
from agentl.journal.machine import Served
from agentl.runtime.answers import Answer, Failure, Reply, Value
from agentl.runtime.requests import Judge, Reason, SelectPlan

BUDGET_EXHAUSTED = "BudgetExhausted"


def ask_model(ctx: RunContext, request: Reason | Judge | SelectPlan) -> Road:
    """Answer a request to a model: Reply for a Reason, Value for the others, Failure when it raised."""
    kind, key, wanted = _wanted(request)
    served = ctx.line.crossing(kind, key)
    if served is None:
        served = yield from _asked(ctx, kind, key, wanted)
    else:
        ctx.note_progress()
    ctx.spent.add(served.usage)
    return _answer_of(kind, served)


def _wanted(request: Reason | Judge | SelectPlan) -> tuple[str, str, AskModel]:
    if isinstance(request, Reason):
        return "reason", request.task, AskModel("reason", request.task, request.context, request.schema)
    if isinstance(request, Judge):
        return "judge", request.task, AskModel("judge", request.task, request.context, request.questions)
    candidates = list(request.candidates)
    return "select_plan", "|".join(candidates), AskModel("select_plan", "", request.context, candidates)


def _asked(ctx: RunContext, kind: str, key: str, wanted: AskModel) -> Any:
    """Ask, unless the budget is used up; either is noted, so that it comes out the same when derived again."""
    yield from go_live(ctx)
    over = ctx.spent.over(ctx.options)
    if over:
        return note(ctx, kind, key, None, (BUDGET_EXHAUSTED, over))
    outcome = yield wanted
    if isinstance(outcome, Raised):
        return note(ctx, kind, key, None, (outcome.class_name, outcome.text), usage=outcome.usage)
    assert isinstance(outcome, Returned)
    answer: ModelAnswer = outcome.value
    args = {"missing": list(answer.missing)} if kind == "reason" and answer.missing is not None else None
    return note(ctx, kind, key, answer.value, None, args, answer.usage)


def _answer_of(kind: str, served: Served) -> Answer:
    error = served.error
    if error is not None:
        return Failure(error.class_name, error.text)
    if kind != "reason":
        return Value(served.value)
    missing = (served.args or {}).get("missing")
    return Reply(served.value, None if missing is None else tuple(str(name) for name in missing))
