"""MCPHost: a host whose tools are called on MCP servers, as long as these offer what was imported (tooling.md §6)."""

from __future__ import annotations

import atexit
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentl.hosting.extras import require_extra
from agentl.hosting.host import Host
from agentl.hosting.loading import HostError
from agentl.hosting.mcp.catalogue import Catalogue, CatalogueError, ServerTool, parameter_name, pinned_in
from agentl.hosting.mcp.sources import Captured, ServerCommand, read_source, source_of, unusable
from agentl.hosting.mcp.values import Unsendable, as_json, outputs_of
from agentl.hosting.options import OnError
from agentl.hosting.outcomes import NotApplied
from agentl.kernel.dispatch import current_action
from agentl.messages import Phrase
from agentl.messages import mcp as messages

if TYPE_CHECKING:
    from agentl.hosting.mcp.connection import ServerConnection

KEY_META = "agentl/idempotency-key"  # in `_meta` of every call, for servers that know it


class CatalogueDrift(HostError):
    """The server offers other tools than were imported. The run is refused (exit code 3)."""

    exit_code = 3


class MCPHost(Host):
    """A Host with the tools of MCP servers; sensors, approver and tools of your own are registered as on any Host.

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
        """Start a server of a config and register its tools.

        `source`: the path of the config, or its data. `pinned`: the program that holds the `# catalogue` line of this
        server, or the digest itself. `timeout_s`: seconds a call may take; past them, as after a lost connection, its
        outcome is unknown (OutcomeUnknown). An error the server reports is a failure, or unknown too with
        `on_error="unknown"`. `idempotent`: the tools (as the program calls them) of which you promise that a repeated
        call has no second effect; the key of the action goes along in `_meta` as `agentl/idempotency-key`. What the
        server says about itself promises nothing.

        CatalogueDrift when the server offers other tools than were imported; HostError when the extra `mcp`, the
        source, the server or the pin is missing, or the host already has a tool of a name; ValueError for an unknown
        name in `idempotent`.
        """
        require_extra("mcp_host", "mcp", "mcp")
        from agentl.hosting.mcp.connection import ServerConnection

        digest = _pin(pinned, server)
        connection = ServerConnection(_command(source, server), timeout_s)
        atexit.register(connection.close)
        self._connections.append(connection)
        catalogue = connection.catalogue()
        if catalogue.digest != digest:
            connection.close()
            found = catalogue.digest
            raise CatalogueDrift.of(messages.CATALOGUE_CHANGED, server=server, found=found, pinned=digest)
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
            self.tool(name, idempotent=name in idempotent, version=catalogue.digest, on_error=on_error)(
                RemoteTool(catalogue, tool, connection)
            )


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


class RemoteTool:
    """One tool of a server as a function: takes the INPUT names, returns the OUTPUT names."""

    def __init__(self, catalogue: Catalogue, tool: ServerTool, connection: ServerConnection) -> None:
        self._catalogue = catalogue
        self._tool = tool
        self._connection = connection
        self._their_names = {parameter_name(name): name for name in tool.inputs}

    def __call__(self, **arguments: Any) -> dict[str, Any]:
        """Make the call. NotApplied when nothing was sent; ToolFailed and OutcomeUnknown as the connection says."""
        sent = self._sendable(arguments)
        self._refuse_drift()
        action = current_action()
        meta = {} if action is None else {KEY_META: action.idempotency_key}
        result = self._connection.call(self._tool.name, sent, meta)
        return outputs_of(self._tool, result.structured_content, result.content)

    def _sendable(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        sent = {}
        for name, value in arguments.items():
            try:
                sent[self._their_names.get(name, name)] = as_json(value)
            except Unsendable as error:
                raise NotApplied(messages.NOT_SENDABLE.text("en", name=name, reason=str(error))) from None
        return sent

    def _refuse_drift(self) -> None:
        server = self._catalogue.server
        try:
            found = self._connection.catalogue().digest
        except HostError as error:
            reason = error.diagnostics[0].text("en")
            raise NotApplied(messages.NOT_REACHED.text("en", server=server, reason=reason)) from error
        if found != self._catalogue.digest:
            raise NotApplied(messages.CHANGED_MEANWHILE.text("en", server=server, found=found))


def _pin(pinned: str | Path, server: str) -> str:
    if isinstance(pinned, str) and len(pinned) == 64 and set(pinned) <= set("0123456789abcdef"):
        return pinned
    digest = pinned_in(Path(pinned).read_text(encoding="utf-8"), server)
    if digest is None:
        raise HostError.of(messages.NOT_PINNED, path=str(pinned), server=server)
    return digest


def _command(source: str | Path | Mapping[str, Any], server: str) -> ServerCommand:
    found = source_of(source) if isinstance(source, Mapping) else read_source(source)
    if isinstance(found, Captured):
        raise unusable(server, Phrase(messages.ONLY_CAPTURED))
    return found.command(server)
