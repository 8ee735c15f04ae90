"""LOOP as a statement: body first, then UNTIL, at most MAX turns (semantics.md §17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Loop
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import Frame, Turn

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

DEFAULT_TURNS = 100


class EnterLoop(Instruction):
    """Start counting; the body stands under the label of the UNTIL condition."""

    __slots__ = ("until",)

    def __init__(self, until: Condition | None) -> None:
        self.until = until

    def execute(self, machine: Machine, frame: Frame) -> Step:
        frame.turns.append(Turn())
        label = self.until.label(machine.state) if self.until is not None else frozenset()
        frame.controls.append(frame.controls[-1] | label)
        return None


class EndTurn(Instruction):
    """After a turn: leave when UNTIL holds or the bound is reached, else back to `start`.

    A further turn also depends on the condition as it stands now, so its label joins the control label.
    """

    __slots__ = ("limit", "start", "until")

    def __init__(self, until: Condition | None, limit: int, start: int) -> None:
        self.until = until
        self.limit = limit
        self.start = start

    def execute(self, machine: Machine, frame: Frame) -> Step:
        turn = frame.turns[-1]
        turn.count += 1
        if (self.until is not None and machine.holds(self.until, "LOOP UNTIL")) or turn.count >= self.limit:
            frame.turns.pop()
            frame.controls.pop()
            return None
        if self.until is not None:
            frame.controls[-1] |= self.until.label(machine.state)
        frame.at = self.start
        return None


def translate(builder: Builder, statement: Loop, pointer: str) -> None:
    until = Condition.of(statement.until) if statement.until is not None else None
    limit = statement.limit if statement.limit is not None and statement.limit > 0 else DEFAULT_TURNS
    builder.emit(EnterLoop(until))
    start = builder.here
    builder.statements(statement.body, f"{pointer}/body")
    builder.emit(EndTurn(until, limit, start))
