"""Code: a body compiled to a flat list of instructions, and the builder that makes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentl.ir.statements import Statement
from agentl.runtime.answers import Answer
from agentl.runtime.frames import Flow, Frame
from agentl.runtime.requests import Request
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.compiler import Compiler
    from agentl.runtime.machine import Machine

Step = Request | Flow | None
ValueOf = Callable[[Any], Any]
TestOf = Callable[[Any], bool]
LabelOf = Callable[[Any], Label]


class Instruction:
    """One instruction. It keeps nothing of a run: what it must remember goes into the frame.

    `execute` returns None to go on, a request to ask the world, or SWITCHED when it pushed or popped a frame.
    `frame.at` already points behind it. `resume` is called with the answer to its own request.
    """

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        raise NotImplementedError

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        raise AssertionError(f"{type(self).__name__} asked for nothing")


class Jump(Instruction):
    """Go to `target`."""

    __slots__ = ("target",)

    def __init__(self, target: int = -1) -> None:
        self.target = target

    def execute(self, machine: Machine, frame: Frame) -> Step:
        frame.at = self.target
        return None


class Watch(Instruction):
    """Stands behind every statement of a machine that has a watcher; no other machine is compiled with it."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.watched()
        return None


class SkipWhenFailed(Instruction):
    """`--compat`: after an exhausted failure statements do nothing until a plan starts (semantics.md §13)."""

    __slots__ = ("end",)

    def __init__(self) -> None:
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if machine.state.failed:
            frame.at = self.end
        return None


class End(Instruction):
    """The last instruction of every code: leave its frame."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.leave(frame)
        return Flow.SWITCHED


@dataclass(frozen=True, slots=True)
class Code:
    """`id` names the code in frames: `plan:pay`, `event:0`, `phase:OBSERVE`, `cycle` …"""

    id: str
    instructions: tuple[Instruction, ...]


class Builder:
    """Collects the instructions of one code. `compiler` compiles statements and further codes."""

    def __init__(self, compiler: Compiler, code_id: str) -> None:
        self.compiler = compiler
        self.code_id = code_id
        self._instructions: list[Instruction] = []

    def emit(self, *instructions: Instruction) -> None:
        self._instructions.extend(instructions)

    @property
    def here(self) -> int:
        """Where the next instruction will stand."""
        return len(self._instructions)

    def statements(self, body: tuple[Statement, ...], pointer: str) -> None:
        """Compile statements in order. `pointer` is the JSON pointer of their tuple in the agent."""
        for index, statement in enumerate(body):
            self.compiler.statement(self, statement, f"{pointer}/{index}")

    def finish(self) -> Code:
        self.emit(End())
        return Code(self.code_id, tuple(self._instructions))
