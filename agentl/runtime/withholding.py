"""NEVER SEND: values no model may see are replaced by a placeholder, however deep they lie (semantics.md §22)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PLACEHOLDER = "[withheld]"

Noted = Callable[[str], None]


class SendBans:
    """The banned paths of an agent, by segments: `vault` covers `vault.key` and not `vaults`."""

    __slots__ = ("_banned",)

    def __init__(self, paths: tuple[str, ...]) -> None:
        self._banned = tuple(tuple(path.split(".")) for path in paths)

    def clean(self, path: str, value: Any, noted: Noted) -> Any:
        """Return the value at a path as a model may see it; `noted` is told the path of each replacement."""
        segments = tuple(path.split("."))
        if self._covers(segments):
            noted(path)
            return PLACEHOLDER
        if not self._lies_above(segments):
            return value
        if isinstance(value, dict):
            return {key: self.clean(f"{path}.{key}", item, noted) for key, item in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            # An element is treated like the list: what is banned below the path is banned in each of them.
            return [self.clean(path, item, noted) for item in value]
        noted(path)
        return PLACEHOLDER

    def _covers(self, segments: tuple[str, ...]) -> bool:
        return any(segments[: len(banned)] == banned for banned in self._banned)

    def _lies_above(self, segments: tuple[str, ...]) -> bool:
        return any(banned[: len(segments)] == segments for banned in self._banned)
