"""JUDGE: the model answers closed questions, each with its probability (semantics.md §15)."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agentl.ir.statements import Judge as JudgeStatement
from agentl.ir.statements import Question
from agentl.kernel.provenance import unwrap
from agentl.runtime import requests
from agentl.runtime.answers import Answer, Failure, Value
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame
from agentl.runtime.model_values import Domain, Enumeration, Range
from agentl.runtime.oracle_fields import LLM, Field, Settled, bind_field, bind_flags
from agentl.runtime.owned import bare
from agentl.values import EMPTY_LABEL, UNDEFINED, Label, Symbol

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

TYPES = {"NOUL": "Bool", "CHOICE": "Symbol", "SCORE": "Number"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the model said about one question; `p` and `confidence` are UNDEFINED when they are no probabilities.

    `sources` are those the host put on the answer.
    """

    value: Any
    p: Any
    confidence: Any
    sources: Label = EMPTY_LABEL

    @classmethod
    def of(cls, answer: Any) -> Verdict:
        """Read {value, p, confidence} or a bare value."""
        given, sources = bare(answer)
        if not isinstance(given, dict):
            return cls(given, UNDEFINED, UNDEFINED, sources)
        p = _probability(given.get("p"))
        own = _probability(given.get("confidence"))
        return cls(given.get("value"), p, p if own is UNDEFINED else own, sources)

    @property
    def is_absent(self) -> bool:
        return self.value is None or self.value is UNDEFINED


NO_VERDICT = Verdict(None, UNDEFINED, UNDEFINED)


def _probability(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return UNDEFINED
    return value if math.isfinite(value) and 0 <= value <= 1 else UNDEFINED


class Asked:
    """One question, compiled: the field it fills, and what the model is told."""

    __slots__ = ("abstain_below", "field", "shown")

    def __init__(self, question: Question) -> None:
        self.field = _field(question)
        self.abstain_below = None if question.abstain_below is None else float(question.abstain_below.value)
        self.shown: dict[str, Any] = {"kind": question.form, "instructions": question.text}
        if question.form == "CHOICE":
            self.shown["criteria"] = {option.name: option.text for option in question.options}
        elif question.form == "SCORE":
            self.shown["levels"] = list(question.levels)
        self.shown["schema"] = self.field.schema
        if self.abstain_below is not None:
            self.shown["abstain_below"] = self.abstain_below

    def abstains(self, verdict: Verdict) -> bool:
        """Whether the answer is not certain enough to be used: without a probability it never is."""
        if self.abstain_below is None or verdict.is_absent:
            return False
        return verdict.p is UNDEFINED or bool(verdict.p < self.abstain_below)


def _field(question: Question) -> Field:
    written = TYPES[question.form]
    domain: Domain | None = None
    listed = ""
    if question.form == "CHOICE":
        listed = ", ".join(option.name for option in question.options)
        domain = Enumeration(written, tuple(Symbol(option.name) for option in question.options))
    elif question.form == "SCORE":
        highest = max(len(question.levels) - 1, 0)
        listed, domain = f"0, {highest}", Range(0, highest)
    return Field.made(question.name, written, domain, listed, question.default)


class AskJudge(Instruction):
    """Ask with the context of this moment, then bind values, probabilities and the flags."""

    __slots__ = ("asked", "pointer", "task", "using")

    def __init__(self, statement: JudgeStatement, pointer: str) -> None:
        self.task = statement.task or statement.label or ""
        self.using = statement.using
        self.asked = tuple(Asked(question) for question in statement.questions)
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        context = machine.model_context.of(machine, self.using)
        machine.count("llm_calls")
        questions = {asked.field.name: deepcopy(asked.shown) for asked in self.asked}
        return requests.Judge(self.task, context, questions, self.pointer)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        given, sources = _given(machine, self.task, answer)
        label = LLM | sources | frame.control
        found = {asked.field.name: self._settle(machine, asked, given) for asked in self.asked}
        for name, (settled, verdict) in found.items():
            _bind(machine, name, settled, verdict, label)
        missing = [name for name, (_, verdict) in found.items() if verdict.is_absent]
        bind_flags(machine, len(self.asked), len(missing), frame.control)
        if len(missing) == len(self.asked):
            machine.log("LLM", "silent", task=self.task, missing=missing)
            return None
        machine.log(
            "LLM",
            "judged",
            task=self.task,
            fields={name: settled.value for name, (settled, _) in found.items()},
            p={name: verdict.p for name, (_, verdict) in found.items()},
            missing=missing,
        )
        return None

    def _settle(self, machine: Machine, asked: Asked, given: dict[str, Any]) -> tuple[Settled, Verdict]:
        verdict = self._verdict(machine, asked, given)
        if verdict.is_absent:
            return asked.field.unanswered(machine), NO_VERDICT
        settled = asked.field.answered(machine, verdict.value)
        if settled.corrected:
            # A probability is that of the answer itself: none stands beside a value that replaces the answer.
            verdict = replace(verdict, p=UNDEFINED, confidence=UNDEFINED)
        return settled, verdict

    def _verdict(self, machine: Machine, asked: Asked, given: dict[str, Any]) -> Verdict:
        name = asked.field.name
        verdict = Verdict.of(given.get(name))
        if asked.abstains(verdict):
            machine.count("judge_abstained")
            machine.log("LLM", "abstained", task=self.task, field=name, p=verdict.p, below=asked.abstain_below)
            return NO_VERDICT
        return verdict


def _given(machine: Machine, task: str, answer: Answer) -> tuple[dict[str, Any], Label]:
    if isinstance(answer, Failure):
        machine.log("LLM", "failed", task=task, error=answer.error_class, message=answer.text)
        return {}, EMPTY_LABEL
    assert isinstance(answer, Value)
    given, sources = unwrap(answer.value)
    return (given if isinstance(given, dict) else {}), sources


def _bind(machine: Machine, name: str, found: Settled, verdict: Verdict, label: Label) -> None:
    label |= found.sources | verdict.sources
    bind_field(machine, name, found.value, label)
    for path, value in (
        (f"judge.{name}", found.value),
        (f"judge.{name}.value", found.value),
        (f"judge.{name}.p", verdict.p),
        (f"judge.{name}.confidence", verdict.confidence),
    ):
        machine.state.set_local(path, value, label)


def translate(builder: Builder, statement: JudgeStatement, pointer: str) -> None:
    builder.emit(AskJudge(statement, pointer))
