"""SET: writes a belief where one exists, else a local (semantics.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Set
from agentl.logic.errors import EvalError
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Evaluated
from agentl.runtime.frames import Frame
from agentl.runtime.owned import owned

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class Assign(Instruction):
    """Evaluate and store; an expression that raises writes nothing."""

    __slots__ = ("label", "path", "value")

    def __init__(self, path: str, evaluated: Evaluated) -> None:
        self.path = path
        self.value = evaluated.value
        self.label = evaluated.label

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        try:
            value = owned(self.value(state))
        except EvalError as problem:
            machine.unevaluable(f"SET {self.path}", problem)
            return None
        state.assign(self.path, value, self.label(state) | frame.controls[-1])
        machine.log("INFO", "set", path=self.path, value=value)
        return None


def translate(builder: Builder, statement: Set, pointer: str) -> None:
    builder.emit(Assign(statement.path, Evaluated.of(statement.value)))
