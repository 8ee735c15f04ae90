"""Literals: a guard taken apart into what is compared with a constant, and what is left whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from agentl.ir import expressions as ir
from agentl.ir.node import to_data

_FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"!=": "==", ">=": "<", "<=": ">"}

# Functions whose value depends on one path only; they are subjects like paths.
_OF_ONE_PATH = frozenset(
    {"P", "PROBABILITY", "POSTERIOR", "CONFIDENCE", "UNCERTAINTY", "UNTRUSTED", "TRUSTED", "LLM_DERIVED", "len"}
)


@dataclass(frozen=True, slots=True)
class Word:
    """A bare name that nothing defines: the symbol of that name."""

    name: str


Constant = int | float | str | Word


class Literal(NamedTuple):
    """`subject op constant`, or its contrary when `holds` is False.

    `op` is a comparison, "IN" with a tuple of constants, or "is": the subject by itself is the condition.
    """

    subject: str
    op: str
    constant: Constant | tuple[Constant, ...] | None
    holds: bool
    node: ir.Expression


class Whole(NamedTuple):
    """A condition that is not taken apart, or its contrary; equal conditions have equal keys."""

    key: str
    holds: bool


Leaf = Literal | Whole
Term = tuple[Leaf, ...]

# A guard of more terms than this is left alone.
MOST_TERMS = 64


class Names(NamedTuple):
    """How names are read: those of one segment that something defines, and one name for all that mean the same."""

    defined: frozenset[str]
    subject: Callable[[str], str]


def terms(expression: ir.Expression, names: Names, holds: bool = True) -> list[Term] | None:
    """Return the ways in which an expression can be true (or, without `holds`, false), each a list of leaves.

    None when there are too many.
    """
    if isinstance(expression, ir.Not):
        return terms(expression.operand, names, not holds)
    if not isinstance(expression, ir.And | ir.Or):
        return [(leaf(expression, names, holds),)]
    parts = [terms(item, names, holds) for item in expression.items]
    all_of = isinstance(expression, ir.And) is holds
    found: list[Term] = [()] if all_of else []
    for part in parts:
        if part is None:
            return None
        found = [one + other for one in found for other in part] if all_of else found + part
        if len(found) > MOST_TERMS:
            return None
    return found


def leaves(expression: ir.Expression, names: Names) -> Iterator[Leaf]:
    """Yield the leaves of an expression, each as it is written there."""
    stack = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.And | ir.Or):
            stack.extend(reversed(node.items))
        elif isinstance(node, ir.Not):
            stack.append(node.operand)
        else:
            yield leaf(node, names, True)


def leaf(expression: ir.Expression, names: Names, holds: bool) -> Leaf:
    """Return a condition without AND, OR and NOT as a literal where it is one."""
    if isinstance(expression, ir.Comparison):
        return _of_comparison(expression, names, holds)
    subject = _subject(expression, names)
    return _whole(expression, holds) if subject is None else Literal(subject, "is", None, holds, expression)


def _of_comparison(comparison: ir.Comparison, names: Names, holds: bool) -> Leaf:
    left, right = _subject(comparison.left, names), _subject(comparison.right, names)
    if left is not None and right is None:
        constant = _constant(comparison.right, names)
        if constant is not None and isinstance(constant, tuple) is (comparison.op == "IN"):
            return Literal(left, comparison.op, constant, holds, comparison)
    elif right is not None and left is None and comparison.op != "IN":
        constant = _constant(comparison.left, names)
        if constant is not None and not isinstance(constant, tuple):
            return Literal(right, _FLIPPED[comparison.op], constant, holds, comparison)
    return _whole(comparison, holds)


def _whole(expression: ir.Expression, holds: bool) -> Whole:
    """`a != b` is the contrary of `a == b`, `a >= b` that of `a < b`."""
    if isinstance(expression, ir.Comparison) and expression.op in _OPPOSITE:
        expression = ir.Comparison.make(op=_OPPOSITE[expression.op], left=expression.left, right=expression.right)
        holds = not holds
    return Whole(str(to_data(expression)), holds)


def _subject(expression: ir.Expression, names: Names) -> str | None:
    """What is compared: a path, or a function of one path; None for constants and for what is computed.

    A name of one segment that nothing defines is neither on the left: W128 speaks of it.
    """
    if isinstance(expression, ir.Path):
        if expression.is_bare and expression.path not in names.defined:
            return None
        return names.subject(expression.path)
    if isinstance(expression, ir.SharedPath):
        return f"SHARED.{expression.path}"
    match expression:
        case ir.FunctionCall(positional=(ir.Path() as path,), named=()) if expression.function in _OF_ONE_PATH:
            return f"{expression.function}({path.path})"
    return None


def _constant(expression: ir.Expression, names: Names) -> Constant | tuple[Constant, ...] | None:
    match expression:
        case ir.Number():
            return expression.value
        case ir.Negation(operand=ir.Number() as number):
            return -number.value
        case ir.Text() | ir.Datetime():
            return expression.value
        case ir.Path() if expression.is_bare and expression.path not in names.defined:
            return Word(expression.path)
        case ir.ListLiteral():
            items = [_constant(item, names) for item in expression.items]
            single = [item for item in items if item is not None and not isinstance(item, tuple)]
            return tuple(single) if len(single) == len(items) else None
    return None
