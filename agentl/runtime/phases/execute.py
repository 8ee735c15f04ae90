"""EXECUTE: runs queued plans until the queue is empty (semantics.md §8, §12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.declarations import Plan
from agentl.ir.program import Agent
from agentl.runtime.code import Builder, Instruction, Jump, Step
from agentl.runtime.ending import forget_ending
from agentl.runtime.frames import SWITCHED, Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

MAX_EXECUTIONS = 100  # of one plan in one EXECUTE: a plan may queue itself


class NextPlan(Instruction):
    """Take the first plan of the queue and enter it under the label of the decision that queued it."""

    __slots__ = ("end",)

    def __init__(self) -> None:
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        queue = machine.state.queue
        if not queue:
            frame.at = self.end
            return None
        queued = queue.pop(0)
        runs = machine.outermost(frame.code).registers.setdefault("runs", {})
        runs[queued.plan] = runs.get(queued.plan, 0) + 1
        if runs[queued.plan] > MAX_EXECUTIONS:
            machine.log("ERROR", "plan_limit", plan=queued.plan, limit=MAX_EXECUTIONS)
            return None
        machine.state.failed = False
        machine.enter(machine.code_of(queued.plan), "plan", frame.control | queued.label, plan=queued.plan)
        return SWITCHED


class StartPlan(Instruction):
    """Trace the start, also of each retry."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        forget_ending(machine, frame.plan)
        machine.log("PLAN", "started", plan=frame.plan, attempt=frame.attempt)
        return None


class StartStep(Instruction):
    """Trace the start of a STEP."""

    __slots__ = ("step",)

    def __init__(self, step: str) -> None:
        self.step = step

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.log("STEP", "started", step=self.step)
        return None


def translate(builder: Builder, agent: Agent) -> None:
    loop = NextPlan()
    start = builder.here
    builder.emit(loop, Jump(start))
    loop.end = builder.here
    named: set[str] = set()
    for index, plan in enumerate(agent.plans):
        if plan.name not in named:
            named.add(plan.name)
            _compile_plan(builder, plan, f"/plans/{index}")


def _compile_plan(builder: Builder, plan: Plan, pointer: str) -> None:
    own = Builder(builder.compiler, f"plan:{plan.name}")
    own.emit(StartPlan())
    for index, step in enumerate(plan.steps):
        own.emit(StartStep(step.name))
        own.statements(step.body, f"{pointer}/steps/{index}/body")
    builder.compiler.codes[own.code_id] = own.finish()
