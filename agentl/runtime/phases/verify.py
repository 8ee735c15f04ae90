"""VERIFY as a phase: the goals are evaluated again (semantics.md §7)."""

from __future__ import annotations

from agentl.ir.program import Agent
from agentl.runtime.code import Builder
from agentl.runtime.phases.evaluate_goals import EvaluateGoals


def translate(builder: Builder, agent: Agent) -> None:
    builder.emit(EvaluateGoals(agent.goals))
