"""What a host said about a tool when it registered it; read from any host, also one that knows none of this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from threading import TIMEOUT_MAX
from typing import Literal, get_args

from agentl.messages import host as messages

OnError = Literal["failed", "unknown"]
AFTER_S = 5.0  # how long a call of a killed process may still land (decision 5)


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """`version` changes when a repeated key no longer means the same; `timeout_s` in seconds, None: no limit.

    `on_error`: what an exception of this tool means (decision 3). `secret`: parameters whose value is a handle.
    `key_life_s`: seconds after its first use in which the service knows a key, None: for ever. ValueError for anything
    else.
    """

    version: str | None = None
    on_error: OnError = "failed"
    timeout_s: float | None = None
    secret: frozenset[str] = frozenset()
    key_life_s: float | None = None

    def __post_init__(self) -> None:
        if self.on_error not in get_args(OnError):
            raise ValueError(messages.BAD_ON_ERROR.text(value=repr(self.on_error)))
        if self.timeout_s is not None and not 0 < self.timeout_s <= TIMEOUT_MAX:
            raise ValueError(messages.BAD_TIMEOUT.text(value=repr(self.timeout_s)))
        if self.key_life_s is not None and not self.key_life_s > 0:
            raise ValueError(messages.BAD_KEY_LIFE.text(value=repr(self.key_life_s)))


DEFAULTS = ToolOptions()


def options_of(host: object, tool: str) -> ToolOptions:
    """Return what the host said about a tool; the defaults for a host of another make."""
    options = _mapping(host, "tool_options").get(tool)
    return options if isinstance(options, ToolOptions) else DEFAULTS


def after_s_of(host: object, tool: str) -> float:
    """Return how many seconds the reconciler of a tool must wait before its NOT_EXECUTED can be believed."""
    after_s = _mapping(host, "reconciler_after_s").get(tool, AFTER_S)
    return float(after_s) if isinstance(after_s, (int, float)) else AFTER_S


def _mapping(host: object, name: str) -> Mapping[str, object]:
    found = getattr(host, name, None)
    return found if isinstance(found, (dict, Mapping)) else {}  # a dict is seen at once, a Mapping is asked for
