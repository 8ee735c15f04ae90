"""Schema texts (`Number IN [0, 10] DEFAULT 5`) read back as JSON Schema (semantics.md §14)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_DOMAIN = " IN ["
_DEFAULT = " DEFAULT "
_ITEM = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,\]"]+)\s*([,\]])', re.DOTALL)
_NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)(%|ms|sec|s|min|m|h|d)?")
_FACTORS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_JSON_TYPES = {
    "number": "number",
    "float": "number",
    "int": "integer",
    "bool": "boolean",
    "boolean": "boolean",
    "string": "string",
    "symbol": "string",
    "list": "array",
}


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """One field as a model is told of it. `json_type` is "" where anything goes; `text` is the program's own."""

    text: str
    json_type: str = ""
    domain: tuple[Any, ...] = ()

    @classmethod
    def of(cls, text: str) -> FieldSchema:
        """Read a schema text. What it cannot make sense of is left open: the program judges every answer itself."""
        ends = [at for at in (text.find(_DOMAIN), text.find(_DEFAULT)) if at >= 0]
        written = text[: min(ends, default=len(text))].strip().lower()
        domain = _domain_in(text) if ends and text.startswith(_DOMAIN, min(ends)) else ()
        return cls(text, _JSON_TYPES.get(written, ""), domain)

    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema of the field.

        WHY no `default` keyword: a model must not fill in what the program does itself when a field stays open.
        """
        schema: dict[str, Any] = {"type": self.json_type} if self.json_type else {}
        numbers = [item for item in self.domain if isinstance(item, (int, float))]
        if self.json_type in ("number", "integer") and len(numbers) == len(self.domain):
            if len(numbers) == 2:  # two numbers are a range (syntax.md on domains)
                schema.update(minimum=min(numbers), maximum=max(numbers))
            elif numbers:
                schema["enum"] = numbers
        elif self.domain and self.json_type in ("string", ""):
            schema["enum"] = list(self.domain)
        return {**schema, "description": self.text} if self.text else schema


def _domain_in(text: str) -> tuple[Any, ...]:
    items: list[Any] = []
    at = text.index(_DOMAIN) + len(_DOMAIN)
    while (match := _ITEM.match(text, at)) is not None:
        items.append(_value(match[1].strip()))
        if match[2] == "]":
            return tuple(items)
        at = match.end()
    return ()


def _value(written: str) -> Any:
    if written.startswith('"'):
        return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[0]), written[1:-1])
    number = _NUMBER.fullmatch(written)
    if number is None:
        return written
    digits, unit = number.groups()
    if unit is None:
        return float(digits) if "." in digits else int(digits)
    return float(digits) / 100 if unit == "%" else float(digits) * _FACTORS[unit]
