"""Values on their way to an MCP server and back: symbols become texts, results become OUTPUTs (tooling.md §6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from agentl.hosting.mcp.catalogue import ServerTool, parameter_name
from agentl.hosting.mcp.program_text import WHOLE
from agentl.values import Symbol


class Unsendable(Exception):
    """A value JSON does not have; the text names its type, never the value."""


def as_json(value: Any) -> Any:
    """Return a value as JSON data. Unsendable for what would not arrive as it is: a Decimal, a date, bytes, a set."""
    if isinstance(value, Symbol):
        return value.name
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, Mapping):
        return {_key(key): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    raise Unsendable(f"it has a {type(value).__name__}")


def outputs_of(tool: ServerTool, structured: Any, content: Sequence[Any]) -> dict[str, Any]:
    """Return a result as the OUTPUTs the imported TOOL declares.

    Structured content goes to the named outputs of the tool's schema, or whole to `result` when it names none. Without
    it `result` is the text of the answer, or the list of its parts when some are no text.
    """
    if tool.outputs is not None and isinstance(structured, Mapping):
        return {parameter_name(str(name)): value for name, value in structured.items()}
    return {WHOLE: _content(content) if structured is None else structured}


def _key(key: Any) -> str:
    if isinstance(key, (str, Symbol)):
        return str(key)
    raise Unsendable(f"it has a {type(key).__name__} as a key")


def _content(content: Sequence[Any]) -> Any:
    parts = [part.model_dump(mode="json", by_alias=True, exclude_none=True) for part in content]
    if all(part.get("type") == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return parts
