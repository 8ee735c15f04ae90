"""A bare plan name: queues the plan, does not call it (semantics.md §12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import PlanReference
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class QueuePlan(Instruction):
    """Queue under RUNTIME and the control label of this place."""

    __slots__ = ("plan",)

    def __init__(self, plan: str) -> None:
        self.plan = plan

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.queue_plan(self.plan, frame.control | {"RUNTIME"}, "reference")
        return None


def translate(builder: Builder, statement: PlanReference, pointer: str) -> None:
    builder.emit(QueuePlan(statement.plan))
