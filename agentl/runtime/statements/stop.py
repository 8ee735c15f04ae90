"""STOP: ends the plan without a result (operations.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Stop
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.ending import Ending, end
from agentl.runtime.frames import SWITCHED, Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class StopPlan(Instruction):
    """End here, with the reason as it is written."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def execute(self, machine: Machine, frame: Frame) -> Step:
        end(machine, frame, Ending("stopped", reason=self.reason, label=frame.control))
        return SWITCHED


def translate(builder: Builder, statement: Stop, pointer: str) -> None:
    builder.emit(StopPlan(statement.reason or ""))
