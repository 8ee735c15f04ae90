"""Lowering of REASON and JUDGE (syntax.md §4.1, §4.2)."""

from __future__ import annotations

from typing import Any

from agentl.ir import expressions as ir_expressions
from agentl.ir import statements as ir
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, Field, lowers
from agentl.syntax.lower.statements import parts, refuse_words

_NUMERIC_TYPES = ("number", "float", "int")
_NOT_PRODUCED = ("IN", "DEFAULT", "AND", "OR")
_NOT_JUDGED = ("TASK", "USING", "ABSTAIN", "DEFAULT", "AND", "OR", "IN")


@lowers("reason")
def reason(b: Builder, v: list[Any], first: int, last: int) -> ir.Reason:
    found = b.fields(v[3])
    fields = tuple(found.get("PRODUCE", ()))
    node = ir.Reason.make(
        label=None if v[1] is None else b.string(v[1]),
        task=found.get("TASK"),
        using=tuple(found.get("USING", ())),
        fields=fields,
    )
    return b.nested(node, fields, first, first, last)


@lowers("produce")
def produce(b: Builder, v: list[Any], first: int, last: int) -> ir.ProducedField:
    name, type_name, items, default = v
    refuse_words(b, name, _NOT_PRODUCED)
    domain = None if items is None else _domain(b, type_name or "Any", items)
    node = ir.ProducedField.make(name=b.name(name), type=type_name or "Any", domain=domain, default=default)
    return b.nested(node, parts((), default), first, first, last)


@lowers("domain")
def domain_items(b: Builder, v: list[Any], first: int, last: int) -> tuple[list[Any], int, int]:
    return v[2], first, last


def _domain(b: Builder, type_name: str, read: tuple[list[Any], int, int]) -> ir.Domain:
    """Two numbers under a numeric type are a range, anything else an enumeration."""
    items, first, last = read
    is_range = (
        type_name.lower() in _NUMERIC_TYPES
        and len(items) == 2
        and all(isinstance(item, ir_expressions.Number) for item in items)
    )
    node = ir.Domain.make(form="range" if is_range else "enumeration", items=tuple(items))
    return b.placed(node, first, first, last)


@lowers("number_negative")
def number_negative(b: Builder, v: list[Any], first: int, last: int) -> ir_expressions.Number:
    return b.number(v[1], sign="-")


@lowers("judge")
def judge(b: Builder, v: list[Any], first: int, last: int) -> ir.Judge:
    questions = [item for item in v[3] if isinstance(item, ir.Question)]
    found = b.fields(item for item in v[3] if not isinstance(item, ir.Question))
    seen: set[str] = set()
    for question in questions:
        if question.name in seen:
            b.error(messages.REPEATED_QUESTION, b.spans.anchor_token(question), name=question.name)
        seen.add(question.name)
    node = ir.Judge.make(
        label=None if v[1] is None else b.string(v[1]),
        task=found.get("TASK"),
        using=tuple(found.get("USING", ())),
        questions=tuple(questions),
    )
    return b.nested(node, questions, first, first, last)


@lowers("noul")
def noul(b: Builder, v: list[Any], first: int, last: int) -> ir.Question:
    return _question(b, v[0], "NOUL", v[3], v[4], first, last)


@lowers("choice")
def choice(b: Builder, v: list[Any], first: int, last: int) -> ir.Question:
    return _question(b, v[0], "CHOICE", v[3], v[7], first, last, options=tuple(v[5]))


@lowers("score")
def score(b: Builder, v: list[Any], first: int, last: int) -> ir.Question:
    levels = tuple(b.string(token) for token in v[5])
    return _question(b, v[0], "SCORE", v[3], v[7], first, last, levels=levels)


def _question(
    b: Builder, name: int, form: str, text: int, tails: list[Field], first: int, last: int, **more: Any
) -> ir.Question:
    refuse_words(b, name, _NOT_JUDGED)
    found = b.fields(tails)
    default = found.get("DEFAULT")
    node = ir.Question.make(
        name=b.name(name),
        form=form,
        text=b.string(text),
        abstain_below=found.get("ABSTAIN"),
        default=default,
        **more,
    )
    return b.nested(node, parts((), default), first, first, last)


@lowers("option")
def option(b: Builder, v: list[Any], first: int, last: int) -> ir.Option:
    return b.placed(ir.Option.make(name=b.name(v[0]), text=b.string(v[2])), first, first, last)


@lowers("abstain")
def abstain(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], v[3]
