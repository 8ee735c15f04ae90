"""Expression → value closure, for every regime: literals, paths, arithmetic, and what contains them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from agentl.ir.expressions import (
    And,
    Comparison,
    Datetime,
    Difference,
    Expression,
    FunctionCall,
    ListLiteral,
    Negation,
    Not,
    Number,
    Or,
    Path,
    Product,
    Quotient,
    SharedPath,
    Sum,
    Text,
)
from agentl.logic.functions import compile_function
from agentl.logic.operands import number, quotient
from agentl.logic.readers import read_path
from agentl.logic.regime import Reading, Value
from agentl.logic.scope import Scope

Inner = Callable[[Expression, Reading], Value]
"""Compiles AND, OR, NOT and comparisons where they stand inside a value."""


def value_of(expr: Expression, reading: Reading, logic: Inner) -> Value:
    """Closure giving the value of any expression."""
    if isinstance(expr, Not | And | Or | Comparison):
        return logic(expr, reading)
    return _MAKERS[type(expr)](expr, reading, lambda inner: value_of(inner, reading, logic))


def _constant(value: Any) -> Value:
    return lambda scope: value


def _list(items: Sequence[Value]) -> Value:
    return lambda scope: [item(scope) for item in items]


def _negation(operand: Value) -> Value:
    return lambda scope: -number(operand(scope))


def _sum(items: Sequence[Value]) -> Value:
    def total(scope: Scope) -> float:
        result = number(items[0](scope))
        for item in items[1:]:
            result += number(item(scope))
        return result

    return total


def _product(items: Sequence[Value]) -> Value:
    def product(scope: Scope) -> float:
        result = number(items[0](scope))
        for item in items[1:]:
            result *= number(item(scope))
        return result

    return product


def _difference(left: Value, right: Value) -> Value:
    return lambda scope: number(left(scope)) - number(right(scope))


def _quotient(left: Value, right: Value) -> Value:
    return lambda scope: quotient(number(left(scope)), number(right(scope)))


_Maker = Callable[[Any, Reading, Callable[[Expression], Value]], Value]

_MAKERS: dict[type, _Maker] = {
    Number: lambda expr, reading, inner: _constant(cast(Number, expr).value),
    Text: lambda expr, reading, inner: _constant(expr.value),
    Datetime: lambda expr, reading, inner: _constant(expr.value),
    Path: lambda expr, reading, inner: read_path(expr.path, reading),
    SharedPath: lambda expr, reading, inner: read_path(f"SHARED.{expr.path}", reading),
    ListLiteral: lambda expr, reading, inner: _list([inner(item) for item in expr.items]),
    FunctionCall: compile_function,
    Negation: lambda expr, reading, inner: _negation(inner(expr.operand)),
    Sum: lambda expr, reading, inner: _sum([inner(item) for item in expr.items]),
    Product: lambda expr, reading, inner: _product([inner(item) for item in expr.items]),
    Difference: lambda expr, reading, inner: _difference(inner(expr.left), inner(expr.right)),
    Quotient: lambda expr, reading, inner: _quotient(inner(expr.left), inner(expr.right)),
}
