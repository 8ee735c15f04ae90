"""Visits any node by its fields; no list of kinds is kept by hand."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.ir.node import Node


def children(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield (relative JSON pointer, child) in field order, e.g. ("steps/0", step)."""
    values = node.__dict__
    for name in node.field_names:
        value = values[name]
        if isinstance(value, Node):
            yield name, value
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                if isinstance(item, Node):
                    yield f"{name}/{index}", item


def walk(node: Node, pointer: str = "") -> Iterator[tuple[str, Node]]:
    """Yield (JSON pointer, node) for the node and everything below it, parents first, in source order.

    Uses its own stack: depth never meets Python's limit.
    """
    stack = [(pointer, node)]
    while stack:
        place, current = stack.pop()
        yield place, current
        below = [(f"{place}/{part}", child) for part, child in children(current)]
        stack.extend(reversed(below))
