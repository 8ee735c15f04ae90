"""Expression → text for traces and rules: one stable form, that of the language (syntax.md §2)."""

from __future__ import annotations

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
from agentl.ir.node import Node

# How tightly each kind binds (syntax.md §2.1); what is not here is primary.
_LEVELS: dict[type[Node], int] = {
    Or: 1,
    And: 2,
    Not: 3,
    Comparison: 4,
    Sum: 5,
    Difference: 5,
    Product: 6,
    Quotient: 6,
    Negation: 7,
}
_PRIMARY = 8
_JOINTS: dict[type[Node], str] = {Or: " OR ", And: " AND ", Sum: " + ", Product: " * "}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def render_expression(expr: Expression) -> str:
    """Return the expression as text that reads back as the same expression; parentheses only where they are needed."""
    return _render(expr)


def _render(expr: Expression) -> str:
    if isinstance(expr, Or | And | Sum | Product):
        return _JOINTS[type(expr)].join(
            _inside(item, _level(expr) + (0 if index == 0 and not isinstance(item, type(expr)) else 1))
            for index, item in enumerate(expr.items)
        )
    if isinstance(expr, Not):
        return f"NOT {_inside(expr.operand, 3)}"
    if isinstance(expr, Comparison):
        return f"{_inside(expr.left, 5)} {expr.op} {_inside(expr.right, 5)}"
    if isinstance(expr, Difference):
        return f"{_inside(expr.left, 5)} - {_inside(expr.right, 6)}"
    if isinstance(expr, Quotient):
        return f"{_inside(expr.left, 6)} / {_inside(expr.right, 7)}"
    if isinstance(expr, Negation):
        return f"-{_inside(expr.operand, 7)}"
    return _primary(expr)


def _primary(expr: Expression) -> str:
    if isinstance(expr, Number):
        return f"{expr.text}{expr.unit}"
    if isinstance(expr, Text):
        return f'"{expr.value.translate(_ESCAPES)}"'
    if isinstance(expr, Datetime):
        return expr.value
    if isinstance(expr, Path):
        return expr.path
    if isinstance(expr, SharedPath):
        return f"SHARED.{expr.path}"
    if isinstance(expr, ListLiteral):
        return f"[{', '.join(_render(item) for item in expr.items)}]"
    assert isinstance(expr, FunctionCall)
    named = [f"{argument.name} = {_render(argument.value)}" for argument in expr.named]
    return f"{expr.function}({', '.join([*(_render(item) for item in expr.positional), *named])})"


def _level(expr: Expression) -> int:
    return _LEVELS.get(type(expr), _PRIMARY)


def _inside(expr: Expression, least: int) -> str:
    text = _render(expr)
    return text if _level(expr) >= least else f"({text})"
