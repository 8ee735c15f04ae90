"""PlannerProblem: what an agent gives the planner, compiled once (semantics.md §20)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from agentl.ir.declarations import Effect, Outcome, Planner, Tool, UtilityTerm
from agentl.ir.expressions import Expression, Number
from agentl.ir.program import Agent
from agentl.kernel.request import Contract
from agentl.logic.compile import compile_label, compile_test, compile_value
from agentl.logic.regime import Value
from agentl.logic.render import render_expression
from agentl.logic.scope import Scope
from agentl.values import Label

COST_BY_RISK = {"LOW": 1.0, "MEDIUM": 3.0, "HIGH": 8.0, "SEVERE": 15.0, "CRITICAL": 25.0, "UNKNOWN": 12.0}
COST_OF_OTHER_RISK = 5.0
MAX_DEPTH = 4
MAX_NODES = 2000
APPROVAL_COST = 10.0
TARGET_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class Condition:
    """A two-valued test with its text. `test` raises EvalError, which counts as false."""

    text: str
    test: Callable[[Scope], bool]


@dataclass(frozen=True, slots=True)
class Assignment:
    """One effect: the path, the value it takes, and where that value comes from."""

    path: str
    value: Value
    label: Callable[[Scope], Label]
    text: str


@dataclass(frozen=True, slots=True)
class Consequence:
    """One way an operator can end. The probabilities of an operator's consequences add up to 1."""

    probability: float
    effects: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """A tool the planner can use. `bindings` are (parameter, path it is read from); `duration` is in seconds.

    `cost` is that of one use without approval: COST, or by RISK, and TIME_WEIGHT × DURATION.
    """

    name: str
    contract: Contract
    bindings: tuple[tuple[str, str], ...]
    requires: Condition | None
    consequences: tuple[Consequence, ...]
    cost: float
    duration: float


class PlannerProblem:
    """The goals, operators, utility and bounds of an agent.

    `contracts` are those of its tools by name. An agent without PLANNER has the default bounds; whether it plans at all
    is the caller's business. `goal_expressions` are what the plan has to reach, for the VERIFY behind it. `paths` are
    all paths that some effect changes.
    """

    __slots__ = (
        "approval_cost",
        "deadline",
        "goal_expressions",
        "goals",
        "max_depth",
        "max_nodes",
        "operators",
        "paths",
        "target_confidence",
        "utility",
    )

    def __init__(self, agent: Agent, contracts: Mapping[str, Contract]) -> None:
        bounds = agent.planner if agent.planner is not None else Planner.make()
        self.max_depth = int(_number(bounds.max_depth, MAX_DEPTH))
        self.max_nodes = int(_number(bounds.max_nodes, MAX_NODES))
        self.approval_cost = _number(bounds.approval_cost, APPROVAL_COST)
        self.target_confidence = _number(bounds.target_confidence, TARGET_CONFIDENCE)
        self.deadline = None if bounds.deadline is None else float(bounds.deadline.value)
        self.goal_expressions = tuple(bounds.achieve) or _goal_conditions(agent)
        self.goals = tuple(_condition(expression) for expression in self.goal_expressions)
        self.utility = tuple(_term(term) for term in agent.utility)
        time_weight = _number(bounds.time_weight, 0.0)
        first = {tool.name: tool for tool in reversed(agent.tools)}
        tools = [tool for tool in agent.tools if first[tool.name] is tool and (tool.effects or tool.outcomes)]
        operators = [_operator(tool, contracts[tool.name], time_weight) for tool in tools]
        self.operators = tuple(operator for operator in operators if operator.consequences)
        self.paths = tuple(
            dict.fromkeys(
                effect.path for operator in self.operators for end in operator.consequences for effect in end.effects
            )
        )


def cost_of(tool: Tool) -> float:
    """COST as written, else what the RISK of the tool stands for."""
    return float(tool.cost.value) if tool.cost is not None else COST_BY_RISK.get(tool.risk, COST_OF_OTHER_RISK)


def _number(written: Number | None, otherwise: float) -> float:
    return otherwise if written is None else float(written.value)


def _goal_conditions(agent: Agent) -> tuple[Expression, ...]:
    """Every condition and target of every goal, in order."""
    conditions: list[Expression] = []
    for goal in agent.goals:
        if goal.condition is not None:
            conditions.append(goal.condition)
        conditions.extend(goal.targets)
    return tuple(conditions)


def _condition(expression: Expression) -> Condition:
    return Condition(render_expression(expression), compile_test(expression))


def _term(term: UtilityTerm) -> tuple[Condition, float]:
    return _condition(term.condition), float(term.value.value)


def _operator(tool: Tool, contract: Contract, time_weight: float) -> Operator:
    duration = _number(tool.duration, 0.0)
    return Operator(
        name=tool.name,
        contract=contract,
        bindings=tuple((parameter.name, parameter.bind or parameter.name) for parameter in tool.inputs),
        requires=None if tool.requires is None else _condition(tool.requires),
        consequences=_consequences(tool.outcomes) if tool.outcomes else (Consequence(1.0, _effects(tool.effects)),),
        cost=cost_of(tool) + time_weight * duration,
        duration=duration,
    )


def _consequences(outcomes: Sequence[Outcome]) -> tuple[Consequence, ...]:
    """Outcomes with their probabilities made to add up to 1; one that cannot happen is left out."""
    weighed = [(_number(outcome.probability, 1.0), outcome) for outcome in outcomes]
    possible = [(weight, outcome) for weight, outcome in weighed if weight > 0]
    whole = fsum(weight for weight, _ in possible)
    return tuple(Consequence(weight / whole, _effects(outcome.effects)) for weight, outcome in possible)


def _effects(effects: Sequence[Effect]) -> tuple[Assignment, ...]:
    return tuple(
        Assignment(
            effect.path,
            compile_value(effect.value),
            compile_label(effect.value),
            f"{effect.path} = {render_expression(effect.value)}",
        )
        for effect in effects
    )
