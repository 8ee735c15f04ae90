"""AGENT-L 1.10's `agentl.aio`: asynchronous hosts and runs (host-api.md §10). Names load on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

_HOME = {
    "AsyncHost": "agentl.hosting.async_host",
    "AsyncRuntime": "agentl.durable.async_runtime",
    "AsyncSociety": "agentl.durable.async_society",
    "BoundaryTimeout": "agentl.durable.async_limits",
    "Bridge": "agentl.durable.async_limits",
    "Cancelled": "agentl.kernel.errors",
    "Limits": "agentl.durable.async_limits",
    "run_async": "agentl.durable.async_run",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from agentl.durable.async_limits import BoundaryTimeout as BoundaryTimeout
    from agentl.durable.async_limits import Bridge as Bridge
    from agentl.durable.async_limits import Limits as Limits
    from agentl.durable.async_run import run_async as run_async
    from agentl.durable.async_runtime import AsyncRuntime as AsyncRuntime
    from agentl.durable.async_society import AsyncSociety as AsyncSociety
    from agentl.hosting.async_host import AsyncHost as AsyncHost
    from agentl.kernel.errors import Cancelled as Cancelled


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.aio' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
