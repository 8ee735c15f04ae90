"""Which calls of a plan may need an approval, and whether it can be there before the plan starts (contract §7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agentl.analysis.guard_names import guard_names
from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import function_calls, paths
from agentl.analysis.sequences import PlanSequence, sequences
from agentl.ir.declarations import Rule, Tool
from agentl.ir.expressions import Expression
from agentl.ir.statements import Call
from agentl.logic.compile import EvalError, compile_kleene, compile_value
from agentl.logic.regime import Test
from agentl.logic.scope import DECLARED, Scope
from agentl.values import UNDEFINED, Label


@dataclass(frozen=True, slots=True)
class Approval:
    """A call that may need one: the rule that may ask, the constant arguments by name, and the others."""

    call: Call
    symbol: str
    rule: Rule
    constants: Mapping[str, Any]
    computed: Mapping[str, Expression]


def approvals(model: AgentModel) -> tuple[Approval, ...]:
    """Return every call in a plan for which some REQUIRE_APPROVAL is not surely false. Ask by `model.derived`."""
    return tuple(found for sequence in sequences(model) for found in _of(model, sequence))


def _of(model: AgentModel, sequence: PlanSequence) -> Iterator[Approval]:
    for call in sequence.calls:
        tool = model.tools.get(call.tool)
        rules = _approval_rules(model, call.tool)
        if tool is None or not rules:
            continue
        constants: dict[str, Any] = {}
        computed: dict[str, Expression] = {}
        for name, expression in arguments(call, tool):
            value = constant(model, expression)
            if value is UNDEFINED:
                computed[name] = expression
            else:
                constants[name] = value
        scope = _scope(model, tool, constants)
        for rule in rules:
            if rule.guard is None or _test(model, rule)(scope) is not False:
                yield Approval(call, sequence.symbol, rule, constants, computed)
                break


def arguments(call: Call, tool: Tool) -> Iterator[tuple[str, Expression]]:
    """Yield the arguments of a call by the names the tool has for them; surplus ones are `arg<index>`."""
    names = [parameter.name for parameter in tool.inputs]
    for index, expression in enumerate(call.positional):
        yield (names[index] if index < len(names) else f"arg{index}"), expression
    for argument in call.named:
        yield argument.name, argument.value


def constant(model: AgentModel, expression: Expression) -> Any:
    """Return the value of an expression that is the same in every run, UNDEFINED for any other.

    A bare name that something in the agent may define is none, and neither is anything asked of a value's origin.
    """
    if any("." in path or path in model.derived(_names) for path in paths(expression)) or any(
        function_calls(expression)
    ):
        return UNDEFINED
    try:
        return compile_value(expression)(Scope())
    except EvalError:
        return UNDEFINED


def _names(model: AgentModel) -> frozenset[str]:
    """The names that something in the agent may define. Ask by `model.derived`."""
    return guard_names(model) | model.known_words


@dataclass(frozen=True, slots=True)
class _Action:
    """The action as guards see it: `confidence` is unknown where the agent may set it."""

    tool: str
    args: Mapping[str, object]
    risk: str
    confidence: Any
    provenance: Mapping[str, Label]
    origin: str = "plan"


def _scope(model: AgentModel, tool: Tool, constants: Mapping[str, Any]) -> Scope:
    """What is sure when the call is judged: its constant arguments, and that no action is in doubt (contract §7)."""
    labels = dict.fromkeys(constants, DECLARED)
    confidence = UNDEFINED if "confidence" in model.known_words else 1.0
    return model.derived(_at_start).overlaid(
        constants, labels, _Action(tool.name, constants, tool.risk, confidence, labels)
    )


def _at_start(model: AgentModel) -> Scope:
    scope = Scope()
    for name in model.tools:
        scope.world[f"tools.{name}.in_doubt"] = False
    return scope


def _approval_rules(model: AgentModel, tool: str) -> list[Rule]:
    by_target = model.derived(_by_target)
    return [*by_target.get(tool, ()), *by_target.get(EVERY_TOOL, ())]


def _by_target(model: AgentModel) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in model.agent.rules:
        if rule.effect == "REQUIRE_APPROVAL":
            found.setdefault(rule.target, []).append(rule)
    return found


def _test(model: AgentModel, rule: Rule) -> Test:
    return model.derived(_tests)[id(rule)]


def _tests(model: AgentModel) -> dict[int, Test]:
    """The guards of approvals, made once. Names that something defines are unknown in them, not words."""
    return {
        id(rule): compile_kleene(rule.guard, policy=True, state_names=model.derived(_names))
        for rule in model.agent.rules
        if rule.effect == "REQUIRE_APPROVAL" and rule.guard is not None
    }
