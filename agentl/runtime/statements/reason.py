"""REASON: the model fills fields; its answer is advice in declared types and domains (semantics.md §14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.ir.statements import Reason as ReasonStatement
from agentl.kernel.provenance import unwrap
from agentl.runtime import requests
from agentl.runtime.answers import Answer, Failure, Reply
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame
from agentl.runtime.oracle_fields import LLM, Field, bind_field, bind_flags

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class AskModel(Instruction):
    """Ask with the context of this moment, then bind every field and the flags."""

    __slots__ = ("fields", "pointer", "schema", "task", "using")

    def __init__(self, statement: ReasonStatement, pointer: str) -> None:
        self.task = statement.task or statement.label or ""
        self.using = statement.using
        self.fields = tuple({field.name: Field.of(field) for field in statement.fields}.values())
        self.schema = {field.name: field.schema for field in self.fields}
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        context = machine.model_context.of(machine, self.using)
        machine.count("llm_calls")
        return requests.Reason(self.task, context, dict(self.schema), self.pointer)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        answered, sources = _answered(machine, self.task, answer)
        settled, missing = {}, []
        for field in self.fields:
            if field.name in answered:
                settled[field.name] = field.answered(machine, answered[field.name])
            else:
                missing.append(field.name)
                settled[field.name] = field.unanswered(machine)
        label = LLM | sources | frame.control
        for name, found in settled.items():
            bind_field(machine, name, found.value, label | found.sources)
        bind_flags(machine, len(self.fields), len(missing), frame.control)
        if len(missing) < len(self.fields) or not self.fields:
            values = {name: found.value for name, found in settled.items()}
            machine.log("LLM", "answered", task=self.task, fields=values, missing=missing)
        else:
            machine.log("LLM", "silent", task=self.task, missing=missing)
        return None


def _answered(machine: Machine, task: str, answer: Answer) -> tuple[dict[str, Any], frozenset[str]]:
    """What the model answered, by field, without what its adapter calls missing; nothing when it failed."""
    if isinstance(answer, Failure):
        machine.log("LLM", "failed", task=task, error=answer.error_class, message=answer.text)
        return {}, frozenset()
    assert isinstance(answer, Reply)
    given, sources = unwrap(answer.value)
    if not isinstance(given, dict):
        return {}, sources
    return {name: value for name, value in given.items() if name not in (answer.missing or ())}, sources


def translate(builder: Builder, statement: ReasonStatement, pointer: str) -> None:
    builder.emit(AskModel(statement, pointer))
