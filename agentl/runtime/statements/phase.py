"""A phase word: runs that phase here (semantics.md §7, §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Phase
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.compiler import canonical_phase
from agentl.runtime.frames import SWITCHED, Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

# Phases can stand in plans and handlers that phases run; without a bound they could nest for ever without a crossing.
MAX_FRAMES = 100


class EnterPhase(Instruction):
    """Push the phase under the control label of this place."""

    __slots__ = ("phase",)

    def __init__(self, phase: str) -> None:
        self.phase = phase

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if machine.depth >= MAX_FRAMES:
            machine.log("ERROR", "nesting", limit=MAX_FRAMES, phase=self.phase)
            return None
        machine.enter(f"phase:{self.phase}", "phase", frame.control)
        return SWITCHED


def translate(builder: Builder, statement: Phase, pointer: str) -> None:
    builder.emit(EnterPhase(canonical_phase(statement.phase)))
