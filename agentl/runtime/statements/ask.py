"""ASK: a question to the operator; the answer is bound as `answer` and `answer.<who>` (semantics.md §16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Ask as AskStatement
from agentl.logic.errors import EvalError
from agentl.runtime.answers import Answer, Failure, Value
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Evaluated
from agentl.runtime.frames import Frame
from agentl.runtime.owned import bare, owned
from agentl.runtime.requests import Ask
from agentl.values import Symbol

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

NO_ANSWER = Symbol("no_answer")


class AskOperator(Instruction):
    """Ask, then bind the answer, the DEFAULT, or `no_answer`."""

    __slots__ = ("default", "question", "reason", "timeout", "who")

    def __init__(self, statement: AskStatement) -> None:
        self.who = statement.who
        self.question = statement.question
        self.reason = statement.reason or ""
        self.timeout = float(statement.timeout.value) if statement.timeout is not None else None
        self.default = Evaluated.of(statement.default) if statement.default is not None else None

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.log("ASK", "asked", who=self.who, question=self.question, reason=self.reason)
        return Ask(self.question, self.reason, self.who, timeout=self.timeout)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        if isinstance(answer, Failure):
            machine.log("ERROR", "asker", error=answer.error_class, message=answer.text, who=self.who)
        value, sources = bare(answer.value) if isinstance(answer, Value) else (None, frozenset())
        if value is None or (isinstance(value, Symbol) and value == NO_ANSWER):
            value, sources = self._without_answer(machine)
            machine.log("ASK", "no_answer", who=self.who, answer=value)
        else:
            sources |= {"HUMAN"}
            machine.log("ASK", "answered", who=self.who, answer=value)
        for name in ("answer", f"answer.{self.who}"):
            machine.state.set_local(name, value, sources)
        return None

    def _without_answer(self, machine: Machine) -> tuple[object, frozenset[str]]:
        """The DEFAULT with its own label joined to HUMAN: nobody said it, but it stands where a person's word would."""
        if self.default is None:
            return NO_ANSWER, frozenset({"HUMAN"})
        try:
            return owned(self.default.value(machine.state)), self.default.label(machine.state) | {"HUMAN"}
        except EvalError as problem:
            machine.unevaluable(f"DEFAULT of ASK {self.who}", problem)
            return NO_ANSWER, frozenset({"HUMAN"})


def translate(builder: Builder, statement: AskStatement, pointer: str) -> None:
    builder.emit(AskOperator(statement))
