"""JSON Schema → types of the language (tooling.md §6)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting.mcp.schema_types import type_of, unchecked_in


@pytest.mark.parametrize(
    ("schema", "expected", "unchecked"),
    [
        ({"type": "string"}, "String", {}),
        ({"type": "integer", "minimum": 1}, "Int", {"minimum": 1}),
        ({"type": "number", "title": "N", "description": "d"}, "Number", {}),
        ({"type": "boolean", "default": True}, "Bool", {"default": True}),
        ({"type": "string", "enum": ["a", "b"]}, "Symbol", {"enum": ["a", "b"]}),
        ({"type": "string", "enum": ["a", 3]}, "String", {"enum": ["a", 3]}),
        ({"type": ["string", "null"]}, "String", {}),
        ({"type": ["null", "integer"], "maximum": 3}, "Int", {"maximum": 3}),
        ({"type": ["string", "integer"]}, "Json", {"type": ["string", "integer"]}),
        ({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": None}, "Int", ...),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "Json", ...),
        ({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}, "Json", ...),
        ({"type": "array", "items": {"type": "string"}}, "Json", ...),
        ({"type": "object"}, "Json", {"type": "object"}),
        ({"$ref": "#/$defs/A"}, "Json", {"$ref": "#/$defs/A"}),
        ({"enum": ["a", "b"]}, "Json", {"enum": ["a", "b"]}),
        ({}, "Json", {}),
        (True, "Json", {}),
    ],
)
def test_scalars_have_types_and_what_a_type_does_not_say_is_kept_for_people(
    schema: Any, expected: str, unchecked: Any
) -> None:
    assert type_of(schema) == expected
    if unchecked is not ...:
        assert unchecked_in(schema) == unchecked


def test_what_stands_beside_null_is_kept_too() -> None:
    schema = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": None}
    assert unchecked_in(schema) == {"default": None, "minimum": 0}
