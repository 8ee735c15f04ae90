"""The fields of an LLM statement as rules see them (W134, W136 in diagnostics.md §4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agentl.ir.expressions import Expression
from agentl.ir.statements import Judge, ProducedField, Question, Reason


class AnswerField(NamedTuple):
    """A field of an answer; `names` are the paths under which a guard mentions what was answered."""

    node: ProducedField | Question
    name: str
    names: tuple[str, ...]
    default: Expression | None


def answer_fields(statement: Reason | Judge) -> Iterator[AnswerField]:
    """Yield the fields in source order."""
    fields = statement.questions if isinstance(statement, Judge) else statement.fields
    for field in fields:
        name = field.name
        names = (name, f"reason.{name}", f"judge.{name}", f"judge.{name}.value")
        yield AnswerField(field, name, (*names, "action.confidence") if name == "confidence" else names, field.default)
