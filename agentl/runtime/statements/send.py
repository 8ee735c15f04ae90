"""MESSAGE: sends a payload to another agent, or to all others (semantics.md §16, §24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Send
from agentl.logic.errors import EvalError
from agentl.runtime.answers import Answer, Value
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Evaluated
from agentl.runtime.frames import Frame
from agentl.runtime.owned import owned
from agentl.runtime.requests import Post

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

EVERYONE = "everyone else"


class PostMessage(Instruction):
    """Send it whole or not at all: a payload that cannot be evaluated is traced, and nothing goes out."""

    __slots__ = ("broadcast", "message", "payload", "to")

    def __init__(self, statement: Send) -> None:
        self.message = statement.message
        self.to = statement.to
        self.broadcast = statement.broadcast
        self.payload = tuple((argument.name, Evaluated.of(argument.value)) for argument in statement.payload)

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if self.to is None and not self.broadcast:
            machine.log("BLOCKED", "addressee", message=self.message)
            return None
        try:
            payload = {name: owned(value.value(machine.state)) for name, value in self.payload}
        except EvalError as problem:
            machine.unevaluable(f"PAYLOAD of MESSAGE {self.message}", problem)
            return None
        frame.registers["payload"] = payload
        return Post(self.message, payload, self.to, self.broadcast)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        payload = frame.registers.pop("payload")
        assert isinstance(answer, Value)
        machine.count("messages_sent", answer.value)
        machine.log(
            "MESSAGE",
            "sent" if answer.value else "undelivered",
            message=self.message,
            to=EVERYONE if self.broadcast else self.to,
            payload=payload,
            recipients=answer.value,
        )
        return None


def translate(builder: Builder, statement: Send, pointer: str) -> None:
    builder.emit(PostMessage(statement))
