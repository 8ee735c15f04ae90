"""Types of the language for JSON Schemas, and what of a schema the language does not check (tooling.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ANYTHING = "Json"
_TYPES = {"string": "String", "integer": "Int", "number": "Number", "boolean": "Bool"}
_SAID_BY_TYPE = frozenset({"type", "title", "description", "$schema", "examples"})


def type_of(schema: Any) -> str:
    """The type of a property: that of a scalar, Symbol for a string with listed values, Json for anything else."""
    found, _ = _read(schema)
    return found


def unchecked_in(schema: Any) -> dict[str, Any]:
    """What the schema demands beyond its type; {} when the type says all of it."""
    _, rest = _read(schema)
    return rest


def _read(schema: Any) -> tuple[str, dict[str, Any]]:
    if not isinstance(schema, Mapping):
        return ANYTHING, {}
    known, rest = _without_null(schema)
    named = _TYPES.get(known) if isinstance(known, str) else None
    if named is None:
        return ANYTHING, {key: value for key, value in schema.items() if key not in _SAID_BY_TYPE - {"type"}}
    listed = rest.get("enum")
    if named == "String" and isinstance(listed, list) and listed and all(isinstance(item, str) for item in listed):
        return "Symbol", rest
    return named, rest


def _without_null(schema: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The type of a schema and the rest of it; `[T, null]`, in either way of writing it, is T."""
    rest = {key: value for key, value in schema.items() if key not in _SAID_BY_TYPE}
    known = schema.get("type")
    if isinstance(known, list):
        others = [item for item in known if item != "null"]
        return (others[0], rest) if len(others) == 1 else (None, rest)
    branches = schema.get("anyOf")
    if known is None and isinstance(branches, list) and {"type": "null"} in branches:
        others = [branch for branch in branches if branch != {"type": "null"}]
        if len(others) == 1 and isinstance(others[0], Mapping) and isinstance(others[0].get("type"), str):
            inner, more = _without_null(others[0])
            return inner, {**{key: value for key, value in rest.items() if key != "anyOf"}, **more}
    return known, rest
