"""Schema texts are read back as what the program wrote."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.hosting.models.schema_texts import FieldSchema
from agentl.logic.render import render_expression
from agentl.runtime.oracle_fields import Field
from agentl.syntax.parser import parse_source

PROGRAM = "AGENT A {{ PLAN p {{ REASON {{ PRODUCE {{ it: {field} }} }} }} }}"


def text_of(field: str) -> str:
    """The schema text the machine makes of a PRODUCE field."""
    plan = parse_source(PROGRAM.format(field=field)).agents[0].plans[0]
    statement: Any = plan.steps[0].body[0]
    return Field.of(statement.fields[0]).schema


@pytest.mark.parametrize(
    ("field", "schema"),
    [
        ("Number", {"type": "number"}),
        ("int IN [1, 10]", {"type": "integer", "minimum": 1, "maximum": 10}),
        ("Number IN [10, -2.5]", {"type": "number", "minimum": -2.5, "maximum": 10}),
        ("Number IN [5%, 90%]", {"type": "number", "minimum": 0.05, "maximum": 0.9}),
        ("Number IN [1, 2, 3]", {"type": "number", "enum": [1, 2, 3]}),
        ("Symbol IN [bill, junk] DEFAULT junk", {"type": "string", "enum": ["bill", "junk"]}),
        ('String IN ["a, b]", "c DEFAULT d", "q\\"x"]', {"type": "string", "enum": ["a, b]", "c DEFAULT d", 'q"x']}),
        ('String DEFAULT "x IN [1, 2]"', {"type": "string"}),
        ("Bool DEFAULT false", {"type": "boolean"}),
        ("List", {"type": "array"}),
        ("Json", {}),
        ("Colour IN [red, blue]", {"enum": ["red", "blue"]}),
    ],
)
def test_type_and_domain_are_what_the_program_wrote(field: str, schema: dict[str, Any]) -> None:
    text = text_of(field)
    assert FieldSchema.of(text).json_schema() == {**schema, "description": text}


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8), min_size=1, max_size=4))
def test_any_listed_text_is_read_back(words: list[str]) -> None:
    from agentl.ir.expressions import Text

    listed = ", ".join(render_expression(Text.make(value=word)) for word in words)
    assert FieldSchema.of(f'String IN [{listed}] DEFAULT "x"').domain == tuple(words)


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    FieldSchema.of(text).json_schema()
