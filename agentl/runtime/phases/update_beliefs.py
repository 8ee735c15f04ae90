"""UPDATE_BELIEFS: what was read in this tick becomes what is believed (semantics.md §8, §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.program import Agent
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame
from agentl.runtime.observing import believe_observation

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class BelieveReadings(Instruction):
    """Only paths read with a value since the last time: an older value, or a fallback, is not stamped as observed.

    `--compat`: every observed path that has a world value, as in AGENT-L 1.10.
    """

    __slots__ = ("paths",)

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        taken = state.world if machine.options.compat else state.fresh
        for path in self.paths:
            if path in taken:
                believe_observation(machine, path)
        state.fresh.clear()
        return None


def translate(builder: Builder, agent: Agent) -> None:
    builder.emit(BelieveReadings(builder.compiler.observed))
