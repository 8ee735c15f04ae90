"""Lowering of expressions (syntax.md §2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from agentl.ir import expressions as ir
from agentl.ir.node import Node
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, lowers

N = TypeVar("N", bound=Node)

# A chain while it grows: its items, and the token of its last operator.
Chain = tuple[list[Any], int]


@lowers("number")
def number(b: Builder, v: list[Any], first: int, last: int) -> ir.Number:
    return b.number(v[0])


@lowers("text")
def text(b: Builder, v: list[Any], first: int, last: int) -> ir.Text:
    return b.placed(ir.Text.make(value=b.string(v[0])), first, first, last)


@lowers("datetime")
def datetime(b: Builder, v: list[Any], first: int, last: int) -> ir.Datetime:
    return b.placed(ir.Datetime.make(value=b.texts[v[0]]), first, first, last)


@lowers("path_node")
def path_node(b: Builder, v: list[Any], first: int, last: int) -> ir.Path:
    return b.placed(ir.Path.make(path=v[0]), first, first, last)


@lowers("name_path")
def name_path(b: Builder, v: list[Any], first: int, last: int) -> ir.Path:
    return b.placed(ir.Path.make(path=b.name(v[0])), first, first, last)


@lowers("shared")
def shared(b: Builder, v: list[Any], first: int, last: int) -> ir.SharedPath:
    return b.placed(ir.SharedPath.make(path=v[2]), first, first, last)


@lowers("list_literal")
def list_literal(b: Builder, v: list[Any], first: int, last: int) -> ir.ListLiteral:
    return b.nested(ir.ListLiteral.make(items=tuple(v[1])), v[1], first, first, last)


@lowers("chain")
def chain(b: Builder, v: list[Any], first: int, last: int) -> Chain:
    return [v[0], v[2]], v[1]


@lowers("chain_next")
def chain_next(b: Builder, v: list[Any], first: int, last: int) -> Chain:
    items, _ = v[0]
    items.append(v[2])
    return items, v[1]


@lowers("or_node")
def or_node(b: Builder, v: list[Any], first: int, last: int) -> ir.Or:
    return _chain_node(b, ir.Or, v[0], first, last)


@lowers("and_node")
def and_node(b: Builder, v: list[Any], first: int, last: int) -> ir.And:
    return _chain_node(b, ir.And, v[0], first, last)


@lowers("sum_node")
def sum_node(b: Builder, v: list[Any], first: int, last: int) -> ir.Sum:
    return _chain_node(b, ir.Sum, v[0], first, last)


@lowers("product_node")
def product_node(b: Builder, v: list[Any], first: int, last: int) -> ir.Product:
    return _chain_node(b, ir.Product, v[0], first, last)


def _chain_node(b: Builder, node_class: type[N], chain: Chain, first: int, last: int) -> N:
    items, operator = chain
    return b.nested(node_class.make(items=tuple(items)), items, operator, first, last)


@lowers("comparison")
def comparison(b: Builder, v: list[Any], first: int, last: int) -> ir.Comparison:
    left, operator, right = v
    node = ir.Comparison.make(op=b.texts[operator], left=left, right=right)
    return b.nested(node, (left, right), operator, first, last)


@lowers("difference")
def difference(b: Builder, v: list[Any], first: int, last: int) -> ir.Difference:
    return _difference(b, v[0], v[1], v[2], first, last)


def _difference(b: Builder, left: Any, operator: int, right: Any, first: int, last: int) -> ir.Difference:
    return b.nested(ir.Difference.make(left=left, right=right), (left, right), operator, first, last)


@lowers("quotient")
def quotient(b: Builder, v: list[Any], first: int, last: int) -> ir.Quotient:
    return _quotient(b, v[0], v[1], v[2], first, last)


def _quotient(b: Builder, left: Any, operator: int, right: Any, first: int, last: int) -> ir.Quotient:
    return b.nested(ir.Quotient.make(left=left, right=right), (left, right), operator, first, last)


@lowers("difference_of_sum")
def difference_of_sum(b: Builder, v: list[Any], first: int, last: int) -> ir.Difference:
    left = _chain_node(b, ir.Sum, v[0], first, v[1] - 1)
    return _difference(b, left, v[1], v[2], first, last)


@lowers("quotient_of_product")
def quotient_of_product(b: Builder, v: list[Any], first: int, last: int) -> ir.Quotient:
    left = _chain_node(b, ir.Product, v[0], first, v[1] - 1)
    return _quotient(b, left, v[1], v[2], first, last)


@lowers("negated")
def negated(b: Builder, v: list[Any], first: int, last: int) -> ir.Not:
    return b.nested(ir.Not.make(operand=v[1]), (v[1],), first, first, last)


@lowers("negative")
def negative(b: Builder, v: list[Any], first: int, last: int) -> ir.Negation:
    return b.nested(ir.Negation.make(operand=v[1]), (v[1],), first, first, last)


@lowers("named_argument")
def named_argument(b: Builder, v: list[Any], first: int, last: int) -> ir.NamedArgument:
    return b.nested(ir.NamedArgument.make(name=b.name(v[0]), value=v[2]), (v[2],), first, first, last)


@lowers("function", "function_confidence")
def function(b: Builder, v: list[Any], first: int, last: int) -> ir.FunctionCall:
    name = v[0] if isinstance(v[0], str) else b.texts[v[0]]
    positional, named = split_arguments(b, v[2])
    node = ir.FunctionCall.make(function=name, positional=positional, named=named)
    return b.nested(node, v[2], first, first, last)


def split_arguments(b: Builder, arguments: Sequence[Node]) -> tuple[tuple[Node, ...], tuple[ir.NamedArgument, ...]]:
    """Part positional from named arguments; a name given twice is an error (syntax.md §2.3)."""
    named = [argument for argument in arguments if isinstance(argument, ir.NamedArgument)]
    positional = tuple(argument for argument in arguments if not isinstance(argument, ir.NamedArgument))
    seen: set[str] = set()
    for argument in named:
        if argument.name in seen:
            b.error(messages.REPEATED_ARGUMENT, b.spans.anchor_token(argument), name=argument.name)
        seen.add(argument.name)
    return positional, tuple(named)
