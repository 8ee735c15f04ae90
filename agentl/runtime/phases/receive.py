"""RECEIVE: takes messages out of the inbox and runs their handlers (semantics.md §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.ir.declarations import MessageHandler
from agentl.ir.program import Agent
from agentl.runtime.code import Builder, Instruction, Jump, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import BASE_CONTROL, SWITCHED, Frame
from agentl.runtime.payload import Payload
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

MESSAGE: Label = frozenset({"MESSAGE"})


class TakeMessages(Instruction):
    """Empty the inbox into the registers: what comes while handlers run waits for the next RECEIVE."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        inbox = machine.state.inbox
        machine.count("messages_received", len(inbox))
        frame.registers["messages"] = list(inbox)
        frame.registers["next"] = 0
        inbox.clear()
        return None


class NextMessageHandler(Instruction):
    """Enter the next handler for the next message.

    The register `next` counts steps: of each message its arrival, where one that nobody handles is dropped, then each
    handler.
    """

    __slots__ = ("end", "handlers", "known")

    def __init__(self, handlers: tuple[tuple[MessageHandler, Condition | None], ...]) -> None:
        self.handlers = handlers
        self.known = frozenset(handler.message for handler, _ in handlers)
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        registers = frame.registers
        steps = 1 + len(self.handlers)
        while registers["next"] < len(registers["messages"]) * steps:
            at, step = divmod(registers["next"], steps)
            registers["next"] += 1
            message = registers["messages"][at]
            if step == 0:
                if message["name"] not in self.known:
                    _log(machine, "dropped", message)
            elif self._enter(machine, frame, message, step - 1):
                return SWITCHED
        del registers["messages"], registers["next"]
        frame.at = self.end
        return None

    def _enter(self, machine: Machine, frame: Frame, message: dict[str, Any], index: int) -> bool:
        handler, when = self.handlers[index]
        if message["name"] != handler.message:
            return False
        control = frame.control | MESSAGE
        bound = Payload(machine, message["payload"], MESSAGE | frame.flow, BASE_CONTROL | frame.flow)
        bound.bind("message", {"name": message["name"], "from": message["from"]})
        if when is not None:
            control |= when.label(machine.state)
            if not machine.holds(when, f"WHEN of ON MESSAGE {handler.message}"):
                bound.undo()
                _log(machine, "filtered", message)
                return False
        bound.report_hidden(handler.message)
        _log(machine, "received", message)
        return machine.enter_body(f"message:{index}", control)


def _log(machine: Machine, name: str, message: dict[str, Any]) -> None:
    machine.log("MESSAGE", name, message=message["name"], sender=message["from"], payload=message["payload"])


def translate(builder: Builder, agent: Agent) -> None:
    handlers = tuple(
        (handler, Condition.of(handler.when) if handler.when is not None else None) for handler in agent.messages
    )
    builder.emit(TakeMessages())
    step = NextMessageHandler(handlers)
    start = builder.here
    builder.emit(step, Jump(start))
    step.end = builder.here
    for index, handler in enumerate(agent.messages):
        builder.compiler.body(f"message:{index}", handler.body, f"/messages/{index}/body")
