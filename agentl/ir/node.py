"""Node: the frozen base of every IR node. A node has a `kind`; its place in the source is never in it."""

from __future__ import annotations

from typing import Any, ClassVar, Self, cast

from pydantic import BaseModel


class Node(BaseModel, frozen=True, defer_build=True, extra="forbid"):
    """Built by `make` without validation (the parser has checked the shape); validated only when read from JSON.

    Validators are built on first use (`defer_build`): checking a program never builds one (decision 16).
    """

    kind: str

    # Fields of later releases: absent from data when empty, so that digests of older programs stay what they were.
    left_out_when_empty: ClassVar[tuple[str, ...]] = ()

    # Lists whose order means nothing: digests and comparisons take them sorted.
    unordered: ClassVar[tuple[str, ...]] = ()

    field_names: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        fields = cls.__pydantic_fields__
        cls.field_names = tuple(fields)
        cls._defaults = {name: field.default for name, field in fields.items() if not field.is_required()}

    @classmethod
    def make(cls, **fields: Any) -> Self:
        """Build a node from already checked fields; absent ones take their defaults."""
        node = cls.__new__(cls)
        object.__setattr__(node, "__dict__", {**cls._defaults, **fields})
        object.__setattr__(node, "__pydantic_fields_set__", set(fields))
        object.__setattr__(node, "__pydantic_extra__", None)
        object.__setattr__(node, "__pydantic_private__", None)
        return node


def to_data(node: Node, *, canonical: bool = False) -> dict[str, Any]:
    """Return a node as JSON data, all fields written out but those `left_out_when_empty`.

    With `canonical`, lists whose order means nothing are sorted. Never `model_dump`, which would build validators.
    """
    values = node.__dict__
    data = {name: _data(values[name], canonical) for name in node.field_names}
    for name in node.left_out_when_empty:
        if not data[name]:
            del data[name]
    if canonical:
        for name in node.unordered:
            data[name] = sorted(data[name], key=_order)
    return data


def _data(value: object, canonical: bool) -> Any:
    if isinstance(value, Node):
        return to_data(value, canonical=canonical)
    if isinstance(value, tuple):
        return [_data(item, canonical) for item in value]
    return cast(Any, value)


def _order(item: Any) -> list[str]:
    """Where an item of an unordered list stands: by its text, or by its fields one after the other."""
    return [item] if isinstance(item, str) else [str(value) for value in item.values()]
