"""Short ways from a text to its nodes, and from an expression to a text with all its parentheses."""

from __future__ import annotations

from typing import Any

from agentl.ir import expressions
from agentl.ir.program import Agent
from agentl.syntax.parser import parse_source


def agent(members: str) -> Agent:
    return parse_source(f"AGENT a {{ {members} }}").agents[0]


def body(text: str) -> tuple[Any, ...]:
    return agent(f"PLAN p {{ {text} }}").plans[0].steps[0].body


def statement(text: str) -> Any:
    (only,) = body(text)
    return only


def condition(text: str) -> Any:
    return agent(f"GOAL g {{ {text} }}").goals[0].condition


def show(node: Any) -> str:
    """Write an expression with all its parentheses."""
    match node:
        case expressions.Number():
            return node.text + node.unit
        case expressions.Text():
            return repr(node.value)
        case expressions.Path():
            return node.path
        case expressions.SharedPath():
            return f"SHARED:{node.path}"
        case expressions.Datetime():
            return node.value
        case expressions.Not():
            return f"not({show(node.operand)})"
        case expressions.Negation():
            return f"neg({show(node.operand)})"
        case expressions.Comparison():
            return f"({show(node.left)} {node.op} {show(node.right)})"
        case expressions.Difference() | expressions.Quotient():
            return f"{node.kind}({show(node.left)}, {show(node.right)})"
        case expressions.FunctionCall():
            parts = [*map(show, node.positional), *(f"{each.name}={show(each.value)}" for each in node.named)]
            return f"{node.function}({', '.join(parts)})"
        case _:
            return f"{node.kind}({', '.join(map(show, node.items))})"
