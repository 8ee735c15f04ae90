"""Planner: the search of an agent by itself, against any state, under its name in AGENT-L 1.10 (host-api.md §3)."""

from __future__ import annotations

from functools import cached_property

from agentl.ir.program import Agent
from agentl.kernel.gate import Decider
from agentl.logic.scope import Scope
from agentl.planning.problem import PlannerProblem
from agentl.planning.result import PlanningResult
from agentl.planning.search import plan
from agentl.policy.engine import PolicyEngine
from agentl.runtime.acting import action_confidence
from agentl.runtime.frames import BASE_CONTROL
from agentl.runtime.tables import contracts_of


class Planner:
    """Made for one agent, with or without PLANNER (then with the default bounds). It never acts and changes no state.

    `policy` judges every call in every branch; by default the agent's own.
    """

    def __init__(self, agent: Agent, policy: Decider | None = None) -> None:
        self.agent = agent
        self.policy: Decider = PolicyEngine(agent) if policy is None else policy

    @cached_property
    def problem(self) -> PlannerProblem:
        """Goals, operators, utility and bounds, compiled."""
        return PlannerProblem(self.agent, contracts_of(self.agent))

    def plan(self, state: Scope) -> PlanningResult:
        """Return what the SYNTHESIZE phase would plan in this state; without `steps` there is nothing to do or no way.

        Nothing is raised but a KernelAbort of the policy.
        """
        confidence = action_confidence(state)
        return plan(self.problem, state, self.policy, confidence=confidence, control=BASE_CONTROL)
