"""The label of an expression: a union over what it can read, known when it is compiled (semantics.md §23).

Both sides of every operator count, also those that short circuit would skip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agentl.ir.expressions import Datetime, Expression, FunctionCall, ListLiteral, Number, Path, SharedPath, Text
from agentl.ir.node import Node
from agentl.ir.walk import children
from agentl.logic.functions import (
    BELIEF_FUNCTIONS,
    POSTERIOR_FUNCTIONS,
    PROVENANCE_FUNCTIONS,
    subject_path,
)
from agentl.logic.scope import DECLARED, RUNTIME, SHARED, Scope
from agentl.values import EMPTY_LABEL, Label


def compile_label(expr: Expression) -> Callable[[Scope], Label]:
    """Closure giving the label of the expression's value in a scope; it never raises."""
    fixed = EMPTY_LABEL
    read: dict[str, None] = {}
    for part in _parts(expr):
        if isinstance(part, str):
            read[part] = None
        else:
            fixed |= part
    if not read:
        return lambda scope: fixed
    names = tuple(read)

    def label(scope: Scope) -> Label:
        found = fixed
        for name in names:
            found |= scope.label(name)
        return found

    return label


def _parts(expr: Expression) -> Iterator[str | Label]:
    """Labels that are always there, and the paths whose labels are to be added."""
    stack: list[Node] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Path):
            yield node.path
        elif isinstance(node, SharedPath):
            yield SHARED
        elif isinstance(node, Number | Text | Datetime):
            yield DECLARED
        elif isinstance(node, FunctionCall):
            yield from _function_parts(node)
            if not _asks_about(node):
                stack.extend(node.positional)
        else:
            if isinstance(node, ListLiteral):
                yield DECLARED
            stack.extend(child for _, child in children(node))


def _asks_about(call: FunctionCall) -> bool:
    return call.function in BELIEF_FUNCTIONS | POSTERIOR_FUNCTIONS | PROVENANCE_FUNCTIONS


def _function_parts(call: FunctionCall) -> Iterator[str | Label]:
    if not _asks_about(call):
        yield DECLARED
        return
    yield RUNTIME
    subject = subject_path(call)
    if subject is None or call.function in PROVENANCE_FUNCTIONS:
        return
    yield f"{subject}.posterior" if call.function in POSTERIOR_FUNCTIONS else subject
