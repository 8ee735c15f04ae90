"""EVALUATE_GOALS: scores the goals and publishes them in the world (semantics.md §9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.declarations import Goal
from agentl.ir.program import Agent
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import Frame
from agentl.runtime.written import rounded
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

RUNTIME: Label = frozenset({"RUNTIME"})
TOLERANCE = 1e-9  # a weighted mean of ones may come out just under one


class _Goal:
    """A goal with its conditions compiled."""

    __slots__ = ("conditions", "mode", "name", "weight")

    def __init__(self, goal: Goal) -> None:
        self.name = goal.name
        self.mode = goal.mode
        self.weight = float(goal.weight.value) if goal.weight is not None else 1.0
        expressions = ((goal.condition,) if goal.condition is not None else ()) + goal.targets
        self.conditions = tuple(Condition.of(expression) for expression in expressions)

    def score(self, machine: Machine) -> float:
        """The share of conditions that hold; 1 without any."""
        if not self.conditions:
            return 1.0
        met = sum(machine.holds(condition, f"GOAL {self.name}") for condition in self.conditions)
        return met / len(self.conditions)


class EvaluateGoals(Instruction):
    """Publish `goals.<name>.score`, `goal.score` and `goal.satisfied`."""

    __slots__ = ("goals",)

    def __init__(self, goals: tuple[Goal, ...]) -> None:
        self.goals = tuple(_Goal(goal) for goal in goals)

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        total = weights = 0.0
        sources = RUNTIME
        for goal in self.goals:
            score = goal.score(machine)
            own = frozenset().union(*(condition.label(state) for condition in goal.conditions)) | RUNTIME
            state.set_world(f"goals.{goal.name}.score", score, own)
            machine.log("GOAL", "evaluated", goal=goal.name, score=rounded(score), mode=goal.mode)
            total += goal.weight * score
            weights += goal.weight
            sources |= own
        overall = total / (weights or 1.0) if self.goals else 1.0
        satisfied = overall >= (1.0 if machine.options.compat else 1.0 - TOLERANCE)
        state.set_world("goal.score", overall, sources)
        state.set_world("goal.satisfied", satisfied, sources)
        machine.log("GOAL", "overall", score=rounded(overall), satisfied=satisfied)
        return None


def translate(builder: Builder, agent: Agent) -> None:
    builder.emit(EvaluateGoals(agent.goals))
