"""Tools of MCP servers: their catalogue, the program written from it, and a host that calls them (tooling.md §6)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentl.hosting.mcp.host import AsyncMCPHost as AsyncMCPHost
    from agentl.hosting.mcp.host import CatalogueDrift as CatalogueDrift
    from agentl.hosting.mcp.host import MCPHost as MCPHost
    from agentl.hosting.mcp.host import mcp_host as mcp_host

_HOME = dict.fromkeys(("AsyncMCPHost", "CatalogueDrift", "MCPHost", "mcp_host"), "agentl.hosting.mcp.host")

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.hosting.mcp' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
