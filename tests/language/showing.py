"""How values look in case files: a text in quotes, a symbol bare, numbers so that 5 and 5.0 differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentl.values import UNDEFINED, Symbol


def shown(value: Any) -> str:
    """One line for a value."""
    if isinstance(value, Symbol):
        return value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is UNDEFINED:
        return "UNDEFINED"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(shown, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return repr(value)


def shown_call(name: str, args: Mapping[str, Any]) -> str:
    """`fill(litres=3.0, to="tank 4")`."""
    return f"{name}({', '.join(f'{key}={shown(value)}' for key, value in args.items())})"
