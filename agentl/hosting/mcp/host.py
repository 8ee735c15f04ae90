"""MCPHost: a host whose tools are called on MCP servers, as long as these offer what was imported (tooling.md §6)."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentl.hosting.async_host import AsyncHost
from agentl.hosting.extras import require_extra
from agentl.hosting.host import Host
from agentl.hosting.loading import HostError
from agentl.hosting.mcp.catalogue import Catalogue, CatalogueError, unusable
from agentl.hosting.mcp.endpoint import is_url
from agentl.hosting.mcp.pin import changes, pin_from
from agentl.hosting.mcp.remote_tool import RemoteTool
from agentl.hosting.mcp.sources import Captured, Config, Server, read_source, source_of
from agentl.hosting.options import OnError
from agentl.hosting.registry import Registry
from agentl.messages import Phrase
from agentl.messages import mcp as messages

if TYPE_CHECKING:
    from agentl.hosting.mcp.connection import ServerConnection


class CatalogueDrift(HostError):
    """The server offers other tools than were imported. The run is refused (exit code 3)."""

    exit_code = 3


class MCPTools(Registry):
    """The tools of MCP servers on a host of either kind.

    Every tool is called as `<server>__<name>`. Before every call the server is asked for its catalogue once more:
    nothing is sent to one that changed or is gone (NotApplied).
    """

    def __init__(self) -> None:
        super().__init__()
        self._connections: list[ServerConnection] = []

    def connect(
        self,
        source: str | Path | Mapping[str, Any],
        server: str,
        *,
        pinned: str | Path,
        timeout_s: float | None = 60.0,
        idempotent: Collection[str] = (),
        on_error: OnError = "failed",
    ) -> None:
        """Start or reach a server and register its tools.

        `source`: the path of a config, its data, the entry of this one server, or just its address. `${NAME}` in an
        entry is the environment variable; what a header takes from there is found in nothing that is written.
        `pinned`: the program that holds the `# catalogue` line of this server, or the digest itself. `timeout_s`:
        seconds a call may take; past them, as after a lost connection, its outcome is unknown (OutcomeUnknown). An
        error the server reports is a failure, or unknown too with
        `on_error="unknown"`. `idempotent`: the tools (as the program calls them) of which you promise that a repeated
        call has no second effect; the key of the action goes along in `_meta` as `agentl/idempotency-key`. What the
        server says about itself promises nothing.

        CatalogueDrift when the server offers other tools than were imported; HostError when the extra `mcp`, the
        source, the server or the pin is missing, or the host already has a tool of a name; ValueError for an unknown
        name in `idempotent`.
        """
        require_extra("mcp_host", "mcp", "mcp")
        from agentl.hosting.mcp.connection import ServerConnection

        pin = pin_from(pinned, server)
        connection = ServerConnection(_server(source, server), timeout_s)
        for secret in connection.secrets:
            self.secret_values.remember(secret)
        atexit.register(connection.close)
        self._connections.append(connection)
        catalogue = connection.catalogue()
        if catalogue.digest != pin.digest:
            connection.close()
            raise CatalogueDrift.of(
                messages.CATALOGUE_CHANGED,
                server=server,
                changes=changes(pin, catalogue),
                found=catalogue.digest,
                pinned=pin.digest,
            )
        self.register(catalogue, connection, idempotent=idempotent, on_error=on_error)

    def close(self) -> None:
        """Stop the servers. They are stopped at the end of the process too; a later call starts them again."""
        for connection in self._connections:
            connection.close()

    def register(
        self,
        catalogue: Catalogue,
        connection: ServerConnection,
        *,
        idempotent: Collection[str] = (),
        on_error: OnError = "failed",
    ) -> None:
        """Register the tools of a catalogue, to be called over a connection; what `connect` does last."""
        tools = {tool.program_name(catalogue.server): tool for tool in catalogue.tools}
        for name in idempotent:
            if name not in tools:
                raise ValueError(messages.NO_SUCH_TOOL.text(server=catalogue.server, tool=name))
        taken = next((name for name in tools if name in self.tools), None)
        if taken is not None:
            reason = Phrase(messages.TAKEN, name=taken)
            raise CatalogueError.of(messages.BAD_CATALOGUE, server=catalogue.server, reason=reason)
        for name, tool in tools.items():
            promise = self.tool(name, idempotent=name in idempotent, version=catalogue.digest, on_error=on_error)
            promise(self._function_of(RemoteTool(catalogue, tool, connection)))

    def _function_of(self, tool: RemoteTool) -> Callable[..., Any]:
        return tool


class MCPHost(MCPTools, Host):
    """A Host with the tools of MCP servers; sensors, approver and tools of your own are registered as on any Host."""


class AsyncMCPHost(MCPTools, AsyncHost):
    """An AsyncHost with the tools of MCP servers, to be awaited: a call that is cancelled is given up.

    `connect` itself is synchronous, as is the building of any host.
    """

    def _function_of(self, tool: RemoteTool) -> Callable[..., Any]:
        return tool.awaited


def mcp_host(
    source: str | Path | Mapping[str, Any],
    server: str,
    *,
    pinned: str | Path,
    timeout_s: float | None = 60.0,
    idempotent: Collection[str] = (),
    on_error: OnError = "failed",
) -> MCPHost:
    """Return an MCPHost connected to one server; the parameters are those of `MCPHost.connect`."""
    host = MCPHost()
    host.connect(source, server, pinned=pinned, timeout_s=timeout_s, idempotent=idempotent, on_error=on_error)
    return host


def _server(source: str | Path | Mapping[str, Any], server: str) -> Server:
    if is_url(source):
        source = {"url": source}
    if isinstance(source, Mapping) and ("url" in source or "command" in source):
        return Config({server: source}).server(server)
    found = source_of(source) if isinstance(source, Mapping) else read_source(source)
    if isinstance(found, Captured):
        raise unusable(server, Phrase(messages.ONLY_CAPTURED))
    return found.server(server)
