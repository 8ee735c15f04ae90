"""Reading agents that plan, and making the states they plan in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.logic.scope import Scope
from agentl.planning.problem import PlannerProblem
from agentl.planning.result import PlanningResult
from agentl.planning.search import plan
from agentl.policy import PolicyEngine
from agentl.runtime.tables import contracts_of
from agentl.syntax.parser import parse_source
from agentl.values import Label, Symbol

OBSERVED: Label = frozenset({"OBSERVED"})
RUNTIME: Label = frozenset({"RUNTIME"})


def observed(facts: Mapping[str, Any], label: Label = OBSERVED) -> Scope:
    """A state in which everything was observed; plain words become symbols."""
    scope = Scope()
    return known(scope, facts, label)


def known(scope: Scope, facts: Mapping[str, Any], label: Label) -> Scope:
    """Add facts of one source."""
    for path, value in facts.items():
        scope.world[path] = Symbol(value) if isinstance(value, str) else value
        scope.labels["world"][path] = label
    return scope


def problem(body: str) -> PlannerProblem:
    agent = parse_source(f"AGENT tested {{ {body} }}").agents[0]
    return PlannerProblem(agent, contracts_of(agent))


def planned(body: str, scope: Scope | Mapping[str, Any], **more: Any) -> PlanningResult:
    """What the planner of an agent with this body finds."""
    agent = parse_source(f"AGENT tested {{ {body} }}").agents[0]
    state = scope if isinstance(scope, Scope) else observed(scope)
    return plan(PlannerProblem(agent, contracts_of(agent)), state, PolicyEngine(agent), **more)


def tools(result: PlanningResult) -> list[str]:
    return [step.tool for step in result.steps]
