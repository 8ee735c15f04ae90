"""ESCALATE: tells the operator with a fixed question and ignores the answer (semantics.md §16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Escalate
from agentl.runtime.answers import Answer
from agentl.runtime.asking import escalation, note_escalation_answer
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class AskForHelp(Instruction):
    """Ask; whatever comes back changes nothing."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        return escalation(machine, frame.plan and f"plan {frame.plan}")

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        note_escalation_answer(machine, answer)
        return None


def translate(builder: Builder, statement: Escalate, pointer: str) -> None:
    builder.emit(AskForHelp())
