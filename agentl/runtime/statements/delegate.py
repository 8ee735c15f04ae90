"""DELEGATE: hands a payload to a sub-agent, as a governed action of its own kind (semantics.md §16, policy.md §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Delegate as DelegateStatement
from agentl.kernel.request import CONTROL
from agentl.runtime.acting import action_confidence
from agentl.runtime.answers import Answer
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.delegating import Delegation
from agentl.runtime.frames import Frame
from agentl.runtime.owned import owned
from agentl.runtime.requests import Act

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class HandOver(Instruction):
    """The payload has the listed paths with their values; an undefined one goes along as UNDEFINED."""

    __slots__ = ("expect", "inputs", "name", "pointer", "task")

    def __init__(self, statement: DelegateStatement, pointer: str) -> None:
        self.name = statement.to
        self.task = statement.task or ""
        self.inputs = statement.inputs
        self.expect = statement.expect
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        payload = {path: owned(state.get(path)) for path in self.inputs}
        labels = {path: state.label(path) | frame.control for path in self.inputs}
        frame.registers["payload"] = payload
        machine.log("DELEGATE", "requested", target=self.name, args=payload, task=self.task)
        return Act(
            kind="delegate",
            tool=self.name,
            args=payload,
            labels={**labels, CONTROL: frame.control},
            origin="delegate",
            confidence=action_confidence(machine.state),
            node=self.pointer,
        )

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        payload = frame.registers.pop("payload")
        Delegation(machine, self.name, self.expect, payload, frame.control).settle(answer)
        return None


def translate(builder: Builder, statement: DelegateStatement, pointer: str) -> None:
    builder.emit(HandOver(statement, pointer))
