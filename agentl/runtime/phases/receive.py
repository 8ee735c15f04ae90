"""RECEIVE: takes messages out of the inbox (semantics.md §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.program import Agent
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class DropMessages(Instruction):
    """A message no handler waits for is traced and dropped."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        for message in machine.state.inbox:
            machine.count("messages_received")
            machine.log(
                "MESSAGE", "dropped", message=message["name"], sender=message["from"], payload=message["payload"]
            )
        machine.state.inbox.clear()
        return None


def translate(builder: Builder, agent: Agent) -> None:
    builder.emit(DropMessages())
