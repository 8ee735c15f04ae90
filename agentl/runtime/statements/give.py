"""GIVE: ends the plan with a result (operations.md §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.ir.statements import Give
from agentl.logic.errors import EvalError
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Evaluated
from agentl.runtime.ending import Ending, end
from agentl.runtime.frames import SWITCHED, Frame
from agentl.runtime.owned import owned
from agentl.values import EMPTY_LABEL, UNDEFINED, Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class GiveResult(Instruction):
    """The value, or the record of the fields; what cannot be evaluated is traced and gives UNDEFINED."""

    __slots__ = ("fields", "value")

    def __init__(self, statement: Give) -> None:
        self.value = Evaluated.of(statement.value) if statement.value is not None else None
        self.fields = tuple((field.name, Evaluated.of(field.value)) for field in statement.fields)

    def execute(self, machine: Machine, frame: Frame) -> Step:
        value, label = self._result(machine, frame.plan)
        end(machine, frame, Ending("given", value, label=label | frame.control))
        return SWITCHED

    def _result(self, machine: Machine, plan: str) -> tuple[Any, Label]:
        named = self.fields if self.value is None else (("", self.value),)
        label = EMPTY_LABEL.union(*(evaluated.label(machine.state) for _, evaluated in named))
        try:
            found = {name: owned(evaluated.value(machine.state)) for name, evaluated in named}
        except EvalError as problem:
            machine.unevaluable(f"GIVE of {plan}", problem)
            return UNDEFINED, label
        return (found if self.value is None else found[""]), label


def translate(builder: Builder, statement: Give, pointer: str) -> None:
    builder.emit(GiveResult(statement))
