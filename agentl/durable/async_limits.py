"""Limits of an asynchronous run, and the bridge: the places below them that agents share (host-api.md §10)."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from threading import TIMEOUT_MAX
from typing import Any, Literal

from agentl.diagnostics import AgentLError
from agentl.durable.models import tells_of_its_last_call
from agentl.messages import aio as say

Place = Literal["tools", "models", "reads", "people"]
Turn = AbstractAsyncContextManager[Any]

_COUNTS = ("max_concurrent_tools", "max_concurrent_llm", "max_concurrent_reads", "inbox_capacity")
_SECONDS = ("tool_timeout", "llm_timeout", "read_timeout", "human_timeout")


class BoundaryTimeout(AgentLError):
    """No answer came in time. The runtime takes it as silence, no answer or a refusal (semantics.md §25)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many calls may be under way at once, and how long each may take in seconds; None: without limit.

    Sub-agents and reconcilers count as tools, event draining as a read. `tool_timeout` is for tools that state none
    themselves; `human_timeout` for questions (with a TIMEOUT of the program the shorter one) and approvals. Waiting for
    a place is not counted as time. `inbox_capacity`: messages an inbox of a society holds. ValueError for anything
    else.
    """

    max_concurrent_tools: int | None = 8
    max_concurrent_llm: int | None = 4
    max_concurrent_reads: int | None = None
    tool_timeout: float | None = None
    llm_timeout: float | None = None
    read_timeout: float | None = None
    human_timeout: float | None = None
    inbox_capacity: int | None = None

    def __post_init__(self) -> None:
        for name in _COUNTS:
            count = getattr(self, name)
            if count is not None and (type(count) is not int or count < 1):
                raise ValueError(say.BAD_COUNT.text(name=name, value=repr(count)))
        for name in _SECONDS:
            seconds = getattr(self, name)
            if seconds is not None and (type(seconds) not in (int, float) or not 0 < seconds <= TIMEOUT_MAX):
                raise ValueError(say.BAD_SECONDS.text(name=name, value=repr(seconds)))


class Bridge:
    """The way of one or several agents to the outside: those that share a bridge share its bounds."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._places: dict[Place, asyncio.Semaphore] = {}
        self._models: dict[int, tuple[Any, asyncio.Lock]] = {}

    def place(self, kind: Place) -> Turn:
        """A place among those that may be under way at once; to be waited for with `async with`."""
        self._settle_in()
        return self._places.get(kind) or nullcontext()

    def is_queued(self, overlaps: bool) -> bool:
        """Whether a tool called now may have to wait for a place; branches that begin together cannot tell."""
        if self.limits.max_concurrent_tools is None:
            return False
        place = self._places.get("tools")
        return overlaps or (place is not None and place.locked())

    def alone_with(self, model: Any) -> Turn:
        """Nobody else's turn with a model that tells of its last call only: its answers must not be mixed up."""
        self._settle_in()
        if not tells_of_its_last_call(model):
            return nullcontext()
        return self._models.setdefault(id(model), (model, asyncio.Lock()))[1]

    def _settle_in(self) -> None:
        """Semaphores and locks belong to one loop; a run may go on in another one."""
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        self._loop = loop
        limits = self.limits
        bounds: dict[Place, int | None] = {
            "tools": limits.max_concurrent_tools,
            "models": limits.max_concurrent_llm,
            "reads": limits.max_concurrent_reads,
        }
        self._places = {kind: asyncio.Semaphore(bound) for kind, bound in bounds.items() if bound is not None}
        self._models = {}
