"""The catalogue: every message that has a code, found by looking; only `agentl explain` needs them all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from agentl import messages
from agentl.messages.message import Message


@cache
def catalogue() -> dict[str, Message]:
    """Return every message by its code, in the order of the codes."""
    return dict(sorted((message.code, message) for message in _all()))


def _all() -> Iterator[Message]:
    for area in sorted(module.name for module in iter_modules(messages.__path__, f"{messages.__name__}.")):
        for value in vars(import_module(area)).values():
            if isinstance(value, Message):
                yield value
