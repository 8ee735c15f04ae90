"""Which paths an expression reads, known without evaluating it."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.ir.expressions import Expression, FunctionCall, Path, SharedPath
from agentl.ir.node import Node
from agentl.ir.walk import children
from agentl.logic.functions import POSTERIOR_FUNCTIONS


def paths(expr: Expression) -> tuple[str, ...]:
    """Every path the expression can read, each once, in source order.

    P(h) reads `h.posterior`; `SHARED.k` keeps its first segment; the tool named by ATTESTED is no path, and an ignored
    named argument reads nothing.
    """
    return tuple(dict.fromkeys(_paths(expr)))


def _paths(expr: Expression) -> Iterator[str]:
    stack: list[Node] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Path):
            yield node.path
        elif isinstance(node, SharedPath):
            yield f"SHARED.{node.path}"
        elif isinstance(node, FunctionCall):
            first = node.positional[0] if node.positional else None
            if node.function in POSTERIOR_FUNCTIONS and isinstance(first, Path):
                yield f"{first.path}.posterior"
            else:
                read = node.positional[:1] if node.function == "ATTESTED" else node.positional
                stack.extend(reversed(read))
        else:
            stack.extend(child for _, child in reversed(list(children(node))))
