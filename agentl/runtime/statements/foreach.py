"""FOREACH: runs its body once an element, under the label of the collection (semantics.md §17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Foreach
from agentl.logic.errors import EvalError
from agentl.runtime.code import Builder, Instruction, Jump, Step
from agentl.runtime.conditions import Evaluated
from agentl.runtime.frames import Frame, Turn
from agentl.runtime.projection import project

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

DEFAULT_ELEMENTS = 200


class EnterForeach(Instruction):
    """Evaluate the collection; what is none skips the body with an ERROR."""

    __slots__ = ("collection", "end", "limit", "variable")

    def __init__(self, variable: str, collection: Evaluated, limit: int) -> None:
        self.variable = variable
        self.collection = collection
        self.limit = limit
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        try:
            found = self.collection.value(state)
        except EvalError as problem:
            machine.unevaluable(f"FOREACH {self.variable}", problem)
            frame.at = self.end
            return None
        if isinstance(found, dict):
            items = list(found.values())
        elif isinstance(found, (list, tuple)):
            items = list(found)
        else:
            collections = machine.state.collections()
            machine.log("ERROR", "not_a_collection", variable=self.variable, found=found, collections=collections)
            frame.at = self.end
            return None
        self._announce(machine, len(items))
        sources = self.collection.label(state)
        frame.turns.append(Turn(items=items[: self.limit], sources=sources))
        frame.controls.append(frame.controls[-1] | sources)
        return None

    def _announce(self, machine: Machine, total: int) -> None:
        machine.log("INFO", "foreach", variable=self.variable, count=min(total, self.limit))
        if total > self.limit:
            machine.log("INFO", "foreach_truncated", variable=self.variable, count=self.limit, total=total)


class NextElement(Instruction):
    """Unbind the element before, bind the next one; at the end leave to `end`."""

    __slots__ = ("end", "variable")

    def __init__(self, variable: str) -> None:
        self.variable = variable
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        turn = frame.turns[-1]
        unbind(machine, turn)
        if turn.count >= len(turn.items):
            frame.turns.pop()
            frame.controls.pop()
            frame.at = self.end
            return None
        for name, value in project(self.variable, turn.items[turn.count], turn.count).items():
            machine.state.set_local(name, value, turn.sources | frame.controls[-1])
            turn.bound.append(name)
        turn.count += 1
        return None


def unbind(machine: Machine, turn: Turn) -> None:
    """Remove what the current element bound; an earlier local of that name is lost (semantics.md §17)."""
    for name in turn.bound:
        machine.state.remove_local(name)
    turn.bound.clear()


def translate(builder: Builder, statement: Foreach, pointer: str) -> None:
    limit = statement.limit if statement.limit is not None and statement.limit > 0 else DEFAULT_ELEMENTS
    enter = EnterForeach(statement.variable, Evaluated.of(statement.collection), limit)
    step = NextElement(statement.variable)
    builder.emit(enter)
    start = builder.here
    builder.emit(step)
    builder.statements(statement.body, f"{pointer}/body")
    builder.emit(Jump(start))
    enter.end = step.end = builder.here
