"""A memory list grows in place; whoever keeps its value keeps a copy."""

from __future__ import annotations

from typing import Any


def owned(value: Any) -> Any:
    """Return the value with its lists and dicts copied, so that nothing changes it later (and a snapshot can tell)."""
    if isinstance(value, list):
        return [owned(item) for item in value]
    if isinstance(value, dict):
        return {key: owned(item) for key, item in value.items()}
    return value
