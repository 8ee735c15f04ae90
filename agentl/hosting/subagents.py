"""The sub-agents of a host: a dict that hands out only what demands a permit (host-api.md §2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from agentl.kernel.dispatch import require_permit

Subagent = Callable[[dict[str, object]], Any]


class Subagents(dict[str, Subagent]):
    """`[]` and `get` return a function that demands a `delegate` permit for exactly this name and payload."""

    def __getitem__(self, name: str) -> Subagent:
        return _guarded(name, super().__getitem__(name))

    @overload
    def get(self, name: str, default: None = None, /) -> Subagent | None: ...

    @overload
    def get(self, name: str, default: Any, /) -> Any: ...

    def get(self, name: str, default: Any = None, /) -> Any:
        """As dict.get, guarded; the default is returned as it is."""
        function = super().get(name)
        return default if function is None else _guarded(name, function)


def _guarded(name: str, function: Subagent) -> Subagent:
    def delegate(payload: dict[str, object]) -> Any:
        require_permit("delegate", name, payload)
        return function(payload)

    return delegate
