"""Which input of a tool each argument of a call goes to."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.ir.declarations import Tool
from agentl.ir.expressions import Expression
from agentl.ir.statements import Call


def bound_arguments(tool: Tool, call: Call) -> Iterator[tuple[str, Expression]]:
    """Yield (input, argument): positional ones in declaration order, surplus ones (E013) left out; then named ones."""
    for parameter, argument in zip(tool.inputs, call.positional, strict=False):
        yield parameter.name, argument
    for named in call.named:
        yield named.name, named.value
