"""Every text for people that `agentl.messages` holds, found by looking."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

from agentl import messages
from agentl.messages import Message, Text


def areas() -> list[str]:
    """Return the names of the message files."""
    plumbing = {"__init__", "catalogue", "language", "message"}
    return sorted(file.stem for file in Path(messages.__path__[0]).glob("*.py") if file.stem not in plumbing)


def texts() -> Iterator[tuple[str, Text]]:
    """Yield every text with its place, `area.NAME`; help lines and texts inside tables too."""
    for area in areas():
        module = import_module(f"agentl.messages.{area}")
        for name, value in vars(module).items():
            if name.isupper() or name.strip("_").isupper():
                yield from _within(f"{area}.{name}", value)


def catalogue() -> dict[str, Message]:
    """Return every message by its code; a code used twice is an error of the caller's test."""
    return {text.code: text for _, text in texts() if isinstance(text, Message)}


def placeholders(template: str) -> set[str]:
    """Return the names of the fields of a template."""
    return {field.split(".")[0].split("[")[0] for _, field, _, _ in Formatter().parse(template) if field is not None}


def _within(place: str, value: object) -> Iterator[tuple[str, Text]]:
    if isinstance(value, Text):
        yield place, value
        if isinstance(value, Message) and value.help is not None:
            yield f"{place}.help", value.help
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _within(f"{place}[{key}]", item)
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            yield from _within(f"{place}[{index}]", item)
