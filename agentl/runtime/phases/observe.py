"""OBSERVE: reads every sensor whose WHEN holds, in declaration order (semantics.md §8, §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.declarations import Observer
from agentl.ir.program import Agent
from agentl.logic.errors import EvalError
from agentl.logic.scope import Belief
from agentl.runtime.answers import Answer
from agentl.runtime.asking import note_escalation_answer, silent_sensor
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Condition, Evaluated
from agentl.runtime.frames import Frame
from agentl.runtime.observing import accept, reading_of, silence
from agentl.runtime.owned import owned
from agentl.runtime.requests import Read

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

FALLBACK_CONFIDENCE = 0.3


class ReadSensor(Instruction):
    """Read one sensor; on silence do what ON UNKNOWN says."""

    __slots__ = ("conduct", "fallback", "path", "when")

    def __init__(self, observer: Observer) -> None:
        self.path = observer.path
        self.when = Condition.of(observer.when) if observer.when is not None else None
        self.conduct = observer.on_unknown or ""
        self.fallback = Evaluated.of(observer.fallback) if observer.fallback is not None else None

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if self.when is not None and not machine.holds(self.when, f"WHEN of observer {self.path}"):
            return None
        return Read(self.path)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        if frame.registers.pop("escalating", False):
            note_escalation_answer(machine, answer)
            return None
        reading = reading_of(machine, self.path, answer)
        if reading is not None:
            accept(machine, self.path, reading)
            machine.state.fresh.add(self.path)
            machine.log("OBSERVE", "reading", path=self.path, value=reading.value)
            return None
        silence(machine, self.path)
        machine.count("sensor_unknown")
        machine.log("OBSERVE", "silent", path=self.path, conduct=self.conduct)
        if self.conduct == "DEGRADE":
            self._degrade(machine)
        elif self.conduct == "ESCALATE" and self.path not in machine.state.escalated:
            machine.state.escalated.add(self.path)
            frame.registers["escalating"] = True
            return silent_sensor(machine, self.path)
        return None

    def _degrade(self, machine: Machine) -> None:
        """Put the declared value in place, marked as a fallback."""
        state = machine.state
        if self.fallback is None:
            return
        try:
            value = owned(self.fallback.value(state))
        except EvalError as problem:
            machine.unevaluable(f"DEGRADE of {self.path}", problem)
            return
        sources = self.fallback.label(state) | {"FALLBACK"}
        state.set_world(self.path, value, sources)
        state.set_belief(self.path, Belief(value, FALLBACK_CONFIDENCE, "fallback", state.tick), sources)
        machine.count("sensor_degraded")


def translate(builder: Builder, agent: Agent) -> None:
    builder.emit(*(ReadSensor(observer) for observer in agent.observers))
