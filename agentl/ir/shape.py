"""What a node looks like to a reader: its title, the values it carries, and the parts below it.

Found from the fields of its class, so that no list of kinds is kept by hand. An expression, whatever its depth, is a
value: it reads on one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_origin

from agentl.ir import expressions
from agentl.ir.node import Node

_ALWAYS_IN_TITLE = "name"  # also where it has a default: a GOAL without a name is called main


def is_part(value: object) -> bool:
    """True for a node that stands on lines of its own: all but expressions and named arguments."""
    return isinstance(value, Node) and type(value).__module__ != expressions.__name__


@cache
def title_fields(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields that tell nodes of a class apart: texts that must be given, and a name."""
    return tuple(
        name
        for name, field in kind.model_fields.items()
        if name == _ALWAYS_IN_TITLE or (field.is_required() and _is_text(field.annotation))
    )


def _is_text(annotation: object) -> bool:
    return annotation is str or str(get_origin(annotation)) == "typing.Literal"


def title(node: Node) -> tuple[str, ...]:
    """Return the kind and the values of the title fields, e.g. ("rule", "NEVER", "transfer")."""
    return (node.kind, *(getattr(node, name) for name in title_fields(type(node))))


def values(node: Node) -> Iterator[tuple[str, object]]:
    """Yield (field, value) of what a node carries besides its title and its parts, in field order.

    A value is None, a scalar, an expression, or a tuple of scalars or of expressions.
    """
    titled = title_fields(type(node))
    for name in node.field_names:
        value = getattr(node, name)
        if name != "kind" and name not in titled and not _has_parts(value):
            yield name, _in_order(node, name, value)


def parts(node: Node) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Yield (field, nodes) for each field that holds parts, in field order."""
    for name in node.field_names:
        value = getattr(node, name)
        if is_part(value):
            yield name, (value,)
        elif _has_parts(value):
            yield name, _in_order(node, name, value)


def _in_order(node: Node, field: str, value: Any) -> Any:
    """Return a list whose order means nothing in the one order that digests take it in."""
    if field not in node.unordered:
        return value
    return tuple(sorted(value, key=lambda item: item if isinstance(item, str) else title(item)))


def _has_parts(value: object) -> bool:
    return is_part(value) or (isinstance(value, tuple) and bool(value) and is_part(value[0]))


def is_default(node: Node, field: str, value: object) -> bool:
    """True when a field has the value it takes when nothing is written."""
    described = type(node).model_fields[field]
    return not described.is_required() and described.default == value
