"""Condition and Evaluated: an expression of the program, compiled once, with what traces need of it."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.ir.expressions import Expression
from agentl.logic.compile import compile_kleene, compile_label, compile_test, compile_value, paths
from agentl.logic.render import render_expression
from agentl.runtime.code import LabelOf, TestOf, ValueOf


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in ordinary evaluation. `test` raises EvalError when it cannot be evaluated (semantics.md §4)."""

    expression: Expression
    test: TestOf
    label: LabelOf
    reads: tuple[str, ...]

    @classmethod
    def of(cls, expression: Expression) -> Condition:
        return cls(expression, compile_test(expression), compile_label(expression), paths(expression))

    @property
    def text(self) -> str:
        return render_expression(self.expression)


@dataclass(frozen=True, slots=True)
class Certainty(Condition):
    """A condition that holds only when it is known to be true: VERIFY's regime (semantics.md §4.3, VERIFY gap).

    As closed as a policy guard: `len(a.b) == 0` of something undefined confirms nothing either (semantics.md §6).
    """

    @classmethod
    def of(cls, expression: Expression) -> Certainty:
        kleene = compile_kleene(expression, policy=True)
        return cls(expression, lambda scope: kleene(scope) is True, compile_label(expression), paths(expression))


@dataclass(frozen=True, slots=True)
class Strict(Condition):
    """A VERIFY condition as AGENT-L 1.10 reads it: only a comparison with something undefined is false."""

    @classmethod
    def of(cls, expression: Expression) -> Strict:
        return cls(expression, compile_test(expression, strict=True), compile_label(expression), paths(expression))


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An expression for its value; `value` raises EvalError."""

    expression: Expression
    value: ValueOf
    label: LabelOf

    @classmethod
    def of(cls, expression: Expression) -> Evaluated:
        return cls(expression, compile_value(expression), compile_label(expression))
