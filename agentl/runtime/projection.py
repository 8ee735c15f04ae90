"""What FOREACH binds of one element (semantics.md §17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentl.values import Symbol


def project(variable: str, element: object, index: int) -> dict[str, Any]:
    """Return the locals one element is seen through: `v`, `v.field`, `v.list.count`, `v.dict.key`, `v.index`."""
    bound: dict[str, Any] = {}
    if isinstance(element, dict):
        for key, value in element.items():
            bound.update(_field(f"{variable}.{key}", value))
    else:
        bound[variable] = _scalar(element)
    bound[f"{variable}.index"] = index
    return bound


def _field(path: str, value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (list, tuple)):
        yield f"{path}.count", len(value)
    elif isinstance(value, dict):
        for key, below in value.items():
            if not isinstance(below, (dict, list, tuple)):
                yield f"{path}.{key}", _scalar(below)
    else:
        yield path, _scalar(value)


def _scalar(value: object) -> Any:
    """Text becomes a symbol; everything else stays."""
    return Symbol(value) if isinstance(value, str) else value
