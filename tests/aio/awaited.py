"""A synchronous host with all of it async: what one driver calls and the other awaits is the same function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from agentl.hosting.async_host import AsyncHost
from agentl.hosting.host import Host


def awaited_host(host: Host) -> AsyncHost:
    """An AsyncHost with every function of the host made async; promises, secrets and events are its own."""
    twin = AsyncHost()
    for name in ("sensors", "tools", "subagents", "reconcilers"):
        getattr(twin, name).update({key: _later(function) for key, function in getattr(host, name).items()})
    for name in ("approver", "asker"):
        function = getattr(host, name)
        setattr(twin, name, function and _later(function))
    for name in ("events", "idempotent_tools", "reconciler_after_s", "tool_options", "secrets", "trace_sink"):
        setattr(twin, name, getattr(host, name))
    return twin


class AwaitedHost:
    """A host of one's own whose methods are coroutines; all else is that of the host inside."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    async def read(self, path: str) -> Any:
        return self._host.read(path)

    async def invoke(self, name: str, args: Mapping[str, Any]) -> Any:
        return self._host.invoke(name, args)

    async def delegate(self, name: str, payload: Mapping[str, Any]) -> Any:
        return self._host.subagents[name](payload)

    async def reconcile(self, name: str, args: dict[str, Any], context: Any) -> Any:
        return self._host.reconcile(name, args, context)

    async def ask(self, question: str, reason: str = "") -> Any:
        return self._host.ask(question, reason)

    async def approve(self, request: Any) -> Any:
        return self._host.approve(request)

    async def drain(self) -> Any:
        return self._host.drain()


def _later(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    async def later(*args: Any, **named: Any) -> Any:
        await asyncio.sleep(0)
        return function(*args, **named)

    return later
