"""A tool call: gates 0 to 2 here, the rest by the driver and in acting.py (semantics.md §11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.ir.declarations import Tool
from agentl.ir.statements import Call
from agentl.logic.errors import EvalError
from agentl.runtime.acting import act_of, settle
from agentl.runtime.answers import Answer
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Condition, Evaluated
from agentl.runtime.frames import Frame
from agentl.runtime.observing import Reread
from agentl.runtime.owned import owned
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class EvaluateArguments(Instruction):
    """Gate 0: the arguments, with their labels, into the registers `args` and `labels`."""

    __slots__ = ("arguments", "end", "tool")

    def __init__(self, tool: str, arguments: tuple[tuple[str, Evaluated], ...]) -> None:
        self.tool = tool
        self.arguments = arguments
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        args: dict[str, Any] = {}
        labels: dict[str, Label] = {}
        try:
            for name, evaluated in self.arguments:
                args[name] = owned(evaluated.value(machine.state))
                labels[name] = evaluated.label(machine.state) | frame.control
        except EvalError as problem:
            machine.count("blocked")
            machine.log("BLOCKED", "arguments", target=self.tool, args=args, shown={"reason": str(problem)})
            frame.at = self.end
            return None
        labels["$control"] = frame.control
        frame.registers["args"] = args
        frame.registers["labels"] = labels
        return None


class RefuseUndeclared(Instruction):
    """Gate 1: a tool nobody declared is never called."""

    __slots__ = ("tool",)

    def __init__(self, tool: str) -> None:
        self.tool = tool

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.count("blocked")
        machine.log("BLOCKED", "undeclared", target=self.tool, args=frame.registers.pop("args"))
        del frame.registers["labels"]
        return None


class TestRequires(Instruction):
    """Gate 2: REQUIRES in ordinary evaluation; not holding skips the call and counts as no refusal."""

    __slots__ = ("end", "requires", "tool")

    def __init__(self, tool: str, requires: Condition) -> None:
        self.tool = tool
        self.requires = requires
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if machine.holds(self.requires, f"REQUIRES of {self.tool}"):
            return None
        machine.log("INFO", "requires", target=self.tool, args=frame.registers.pop("args"))
        del frame.registers["labels"]
        frame.at = self.end
        return None


class Invoke(Instruction):
    """Hand the action to the driver, and take in how it ended."""

    __slots__ = ("pointer", "tool")

    def __init__(self, tool: str, pointer: str) -> None:
        self.tool = tool
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        registers = frame.registers
        origin, node = registers.get("origin", "plan"), registers.get("node", self.pointer)
        return act_of(machine, self.tool, registers["args"], registers["labels"], origin=origin, node=node)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        args = frame.registers.pop("args")
        labels = frame.registers.pop("labels")
        machine.call_result = settle(machine, self.tool, args, labels, answer)
        return None


def translate(builder: Builder, statement: Call, pointer: str) -> None:
    tool = builder.compiler.tools.get(statement.tool)
    evaluate = EvaluateArguments(statement.tool, _arguments(statement, tool))
    builder.emit(evaluate)
    if tool is None:
        builder.emit(RefuseUndeclared(statement.tool))
    else:
        compile_gates(builder, tool, pointer)
    evaluate.end = builder.here


def compile_gates(builder: Builder, tool: Tool, pointer: str) -> None:
    """Gate 2 and the action itself; the registers `args` and `labels` are filled."""
    test = _compile_requires(builder, tool)
    builder.emit(Invoke(tool.name, pointer))
    if test is not None:
        test.end = builder.here


def _compile_requires(builder: Builder, tool: Tool) -> TestRequires | None:
    if tool.requires is None:
        return None
    requires = Condition.of(tool.requires)
    observed = builder.compiler.observed_among(requires.reads)
    if observed:
        builder.emit(Reread(observed))
    test = TestRequires(tool.name, requires)
    builder.emit(test)
    return test


def _arguments(statement: Call, tool: Tool | None) -> tuple[tuple[str, Evaluated], ...]:
    """Positional arguments take the INPUT names in order; surplus ones are called `arg<index>`."""
    names = tuple(parameter.name for parameter in tool.inputs) if tool is not None else ()
    positional = tuple(
        (names[index] if index < len(names) else f"arg{index}", Evaluated.of(expression))
        for index, expression in enumerate(statement.positional)
    )
    return positional + tuple((argument.name, Evaluated.of(argument.value)) for argument in statement.named)
