"""What a model may answer, as types made for one question: every field can be left out, and one sees that it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr, WithJsonSchema, create_model

from agentl.hosting.models.schema_texts import FieldSchema

StrictNumber = Annotated[float, Field(strict=True, allow_inf_nan=False)]

# Types are checked here, so that a model that says "about ten" is asked again. Domains are not: what leaves its domain
# is for the program to correct, where it is counted and traced (semantics.md §14.2), not for a model to talk away.
_PYTHON_TYPES: dict[str, Any] = {
    "number": Union[StrictInt, StrictNumber],  # noqa: UP007 - a value, not an annotation
    "integer": StrictInt,
    "boolean": StrictBool,
    "string": StrictStr,
    "array": list[Any],
}
_PROBABILITY = {"type": "number", "minimum": 0, "maximum": 1}


def _nothing() -> None:
    """As a factory, so that no `default` stands in the schema: a model would answer with it."""


class Shape:
    """The type of one answer: `model` is what a library asks for, `values` reads an answer of that type."""

    def __init__(self, name: str, fields: Mapping[str, tuple[Any, dict[str, Any]]]) -> None:
        # WHY aliases: a field may be called `schema` or `_x`, names a pydantic model cannot have.
        self._names = {f"field_{at}": name for at, name in enumerate(fields)}
        definitions: dict[str, Any] = {}
        for at, (alias, (kind, schema)) in enumerate(fields.items()):
            definitions[f"field_{at}"] = (
                Annotated[kind | None, WithJsonSchema(schema)],
                Field(default_factory=_nothing, alias=alias),
            )
        self.model: type[BaseModel] = create_model(name, **definitions)

    def values(self, answer: BaseModel) -> dict[str, Any]:
        """Return the fields that were answered; null is no answer."""
        given = {self._names[field]: getattr(answer, field) for field in self._names}
        return {name: value for name, value in given.items() if value is not None}


def produced(produce: Mapping[str, str]) -> Shape:
    """The answer to a REASON: field → schema text (semantics.md §14)."""
    schemas = {name: FieldSchema.of(text) for name, text in produce.items()}
    return Shape("Answer", {name: (_python_type(schema), schema.json_schema()) for name, schema in schemas.items()})


def judged(questions: Mapping[str, Mapping[str, Any]]) -> Shape:
    """The answer to a JUDGE: a value for each question, and how sure the model is if it says so (semantics.md §15)."""
    fields: dict[str, tuple[Any, dict[str, Any]]] = {}
    for name, question in questions.items():
        schema = FieldSchema.of(str(question.get("schema", "")))
        verdict = create_model(
            "Verdict",
            value=(_python_type(schema), ...),
            probability=(Union[StrictInt, StrictNumber, None], None),  # noqa: UP007
            confidence=(Union[StrictInt, StrictNumber, None], None),  # noqa: UP007
        )
        fields[name] = (verdict, _verdict_schema(schema, str(question.get("instructions", ""))))
    return Shape("Verdicts", fields)


def chosen(candidates: Sequence[str]) -> Shape:
    """The choice of a plan: one of the candidates, or none."""
    kind: Any = Literal[tuple(candidates)]
    return Shape("Choice", {"plan": (kind, {"type": "string", "enum": list(candidates)})})


def verdict_of(answer: Any) -> dict[str, Any]:
    """Return {value, p, confidence} of one answered question; what the model did not give is not there."""
    found = {"value": answer.value, "p": answer.probability, "confidence": answer.confidence}
    return {name: value for name, value in found.items() if value is not None}


def _python_type(schema: FieldSchema) -> Any:
    return _PYTHON_TYPES.get(schema.json_type, Any)


def _verdict_schema(schema: FieldSchema, instructions: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": instructions,
        "properties": {"value": schema.json_schema(), "probability": _PROBABILITY, "confidence": _PROBABILITY},
        "required": ["value"],
    }
