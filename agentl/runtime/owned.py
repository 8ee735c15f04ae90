"""Taking a value over: nothing changes it later, and no mark of a host is left inside it."""

from __future__ import annotations

from typing import Any

from agentl.values import EMPTY_LABEL, Label, Labelled


def owned(value: Any) -> Any:
    """Return the value with its lists and dicts copied.

    A memory list grows in place: whoever keeps its value keeps a copy, also because a snapshot cannot tell that two
    names hold one list.
    """
    if isinstance(value, list):
        return [owned(item) for item in value]
    if isinstance(value, dict):
        return {key: owned(item) for key, item in value.items()}
    return value


def bare(value: Any) -> tuple[Any, Label]:
    """Return a host's value as the program sees it, and all sources the host put on it or on anything inside it."""
    if isinstance(value, Labelled):
        inner, sources = bare(value.value)
        return inner, sources | value.sources
    if isinstance(value, (list, tuple)):
        items = [bare(item) for item in value]
        made = [item for item, _ in items]
        return (made if isinstance(value, list) else tuple(made)), EMPTY_LABEL.union(*(label for _, label in items))
    if isinstance(value, dict):
        fields = {key: bare(item) for key, item in value.items()}
        sources = EMPTY_LABEL.union(*(label for _, label in fields.values()))
        return {key: item for key, (item, _) in fields.items()}, sources
    return value, EMPTY_LABEL
