"""O116: a reference is used other than as a whole argument of a call.

That is so too where the policy, REQUIRES or EFFECT of a tool reads the argument it was passed as.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentl.analysis.approvals import arguments
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_nodes, path_text, paths, with_parents
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import PlanSequence, sequences
from agentl.analysis.statements import expressions, nested
from agentl.analysis.tool_expressions import ToolExpressions
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Expression
from agentl.ir.statements import Call
from agentl.messages import sequential as messages

_INPUTS = "inputs"
_ARGUMENTS = "action.args."

Passed = Mapping[str, str]
"""The arguments of a tool that are given a reference, by name, with that reference."""


def check(model: AgentModel) -> Iterator[Diagnostic]:
    references = model.derived(_references)
    if not references:
        return
    for plan in sequences(model):
        for statement in nested(plan.statements):
            for expression in expressions(statement):
                if not (isinstance(statement, Call) and path_text(expression) in references):
                    yield from _read(model, plan, expression, {})
    yield from _in_tools(model)


def _references(model: AgentModel) -> tuple[str, ...]:
    return tuple(f"{_INPUTS}.{name}" for name in sorted(model.at_hand.references))


def _in_tools(model: AgentModel) -> Iterator[Diagnostic]:
    passed = {plan.symbol: _passed(model, plan) for plan in sequences(model)}
    every = {
        name: reference for tools in passed.values() for given in tools.values() for name, reference in given.items()
    }

    def may_matter(expression: Expression) -> bool:
        return any(_reference(model, path, every) is not None for path in paths(expression))

    places = ToolExpressions(model, may_matter)
    for place in places:
        given = passed[place.plan.symbol].get(place.tool.name, {})
        for finding in _read(model, place.plan, place.expression, given):
            places.told(place)
            yield finding


def _passed(model: AgentModel, plan: PlanSequence) -> Mapping[str, Passed]:
    """Return the arguments that are given a reference, by tool."""
    found: dict[str, dict[str, str]] = {}
    for call in plan.calls:
        tool = model.tools.get(call.tool)
        for name, expression in () if tool is None else arguments(call, tool):
            text = path_text(expression)
            if text in model.derived(_references):
                found.setdefault(call.tool, {})[name] = text
    return found


def _read(model: AgentModel, plan: PlanSequence, expression: Expression, passed: Passed) -> Iterator[Diagnostic]:
    for node, path in path_nodes(expression):
        reference = _reference(model, path, passed)
        if reference is not None:
            yield model.report(messages.REFERENCE_COMPUTED, node, symbol=plan.symbol, path=path, reference=reference)


def _reference(model: AgentModel, path: str, passed: Passed) -> str | None:
    """Return the reference a path reads: itself, what is in it, all inputs at once, or the argument it is passed as."""
    references = model.derived(_references)
    if path == _INPUTS:
        return references[0]
    found = next((parent for parent in with_parents(path) if parent in references), None)
    return found or passed.get(path.removeprefix(_ARGUMENTS).split(".")[0])


RULE = AgentRule((messages.REFERENCE_COMPUTED,), check, profile="sequential")
