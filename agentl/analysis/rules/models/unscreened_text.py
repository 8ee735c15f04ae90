"""W125: in a plan, a model reads raw text, and its answer decides over a risky call without a test for injection.

The answer decides as an argument of the call, or in the condition of an IF around it. The test is an IF around the call
that holds only when a named check says so (diagnostics.md §5.2); ELSE counts with its condition turned round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.risk import counts_as_risky
from agentl.analysis.rule import AgentRule
from agentl.analysis.screening import screens
from agentl.analysis.statements import below, expressions, nested, plan_body
from agentl.analysis.taint import tainted_names
from agentl.analysis.vocabulary import speaks_of
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Expression
from agentl.ir.statements import Call, If, Judge, Reason, Statement
from agentl.messages import lint_models

RAW = ("raw", "log", "message", "body", "content")


class _Around(NamedTuple):
    """What the conditions around a statement say."""

    is_tainted: bool = False
    is_screened: bool = False


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for plan in model.agent.plans:
        yield from in_body(model, f"plan:{plan.name}", plan_body(plan))


def in_body(model: AgentModel, symbol: str, body: Sequence[Statement]) -> Iterator[Diagnostic]:
    """Look at one body of statements by itself."""
    raw = _raw_text(model, body)
    if raw is None:
        return
    tainted = tainted_names(nested(body), judge_paths=model.profile == "strict")
    for call, around in _calls(body, tainted):
        tool = model.tools.get(call.tool)
        if tool is None or around.is_screened or not counts_as_risky(tool, model):
            continue
        if around.is_tainted or _reads(expressions(call), tainted):
            yield model.report(lint_models.UNSCREENED_TEXT, call, symbol=symbol, tool=tool.name, path=raw)


def _calls(body: Sequence[Statement], tainted: frozenset[str]) -> Iterator[tuple[Call, _Around]]:
    stack = [(statement, _Around()) for statement in reversed(body)]
    while stack:
        statement, around = stack.pop()
        if isinstance(statement, Call):
            yield statement, around
        elif isinstance(statement, If):
            is_tainted = around.is_tainted or _reads((statement.condition,), tainted)
            for inner, holds in ((statement.otherwise, False), (statement.then, True)):
                within = _Around(is_tainted, around.is_screened or screens(statement.condition, holds))
                stack.extend((each, within) for each in reversed(inner))
        else:
            stack.extend((each, around) for each in reversed(below(statement)))


def _raw_text(model: AgentModel, body: Sequence[Statement]) -> str | None:
    used = (path for each in nested(body) if isinstance(each, Reason | Judge) for path in each.using)
    return next((path for path in used if speaks_of(path, RAW, model.profile)), None)


def _reads(read: Iterable[Expression], tainted: frozenset[str]) -> bool:
    return any(not tainted.isdisjoint(paths(expression)) for expression in read)


RULE = AgentRule((lint_models.UNSCREENED_TEXT,), check)
