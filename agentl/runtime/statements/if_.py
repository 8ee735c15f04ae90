"""IF: ordinary test; both branches run under the condition's label (semantics.md §17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import If
from agentl.runtime.code import Builder, Instruction, Jump, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class Branch(Instruction):
    """Enter the control label of the condition; go on when it holds, else to `otherwise`."""

    __slots__ = ("condition", "label", "otherwise")

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        self.label = condition.label
        self.otherwise = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        frame.controls.append(frame.controls[-1] | self.label(machine.state))
        if not machine.holds(self.condition, "IF"):
            frame.at = self.otherwise
        return None


class LeaveBranch(Instruction):
    """Leave the control label again."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        frame.controls.pop()
        return None


def translate(builder: Builder, statement: If, pointer: str) -> None:
    branch = Branch(Condition.of(statement.condition))
    builder.emit(branch)
    builder.statements(statement.then, f"{pointer}/then")
    if statement.otherwise:
        skip = Jump()
        builder.emit(skip)
        branch.otherwise = builder.here
        builder.statements(statement.otherwise, f"{pointer}/otherwise")
        skip.target = builder.here
    else:
        branch.otherwise = builder.here
    builder.emit(LeaveBranch())
