"""Where `agentl mcp` takes tools from: the source and the options beside it, read, and the catalogues fetched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from agentl.cli.exits import CommandError
from agentl.diagnostics.refusals import reason
from agentl.hosting.extras import require_extra
from agentl.hosting.mcp.catalogue import Catalogue
from agentl.hosting.mcp.endpoint import host_of, is_url
from agentl.hosting.mcp.sources import Captured, Config, Server, read_source
from agentl.messages import command as command_messages
from agentl.messages import mcp as messages
from agentl.messages import mcp_http as http_messages


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says: a source, which server of it, and how the server at an address is spoken to.

    `bearer`, and the second half of each `HEADER=NAME`, name environment variables.
    """

    source: str
    server: str | None = None
    bearer: str | None = None
    headers: tuple[str, ...] = ()
    transport: str | None = None
    allow_http: bool = False

    def catalogues(self, *, one: bool = False) -> list[Catalogue]:
        """Fetch the catalogue of the server named, or of all; `one`: several are a mistake.

        CommandError for what does not go together, HostError when a server or the source cannot be used.
        """
        found = self._at_address() if is_url(self.source) else self._in_file()
        if isinstance(found, Captured):
            if self.server is None:
                raise CommandError.of(messages.SERVER_NEEDED, path=self.source)
            return [Catalogue.of(self.server, found.tools)]
        servers = self._servers(found)
        if one and len(servers) > 1:
            raise CommandError.of(messages.ONE_OUTPUT, path=self.source, count=len(servers))
        return [_fetched(server) for server in servers]

    def _servers(self, config: Config) -> list[Server]:
        if not config.servers:
            raise CommandError.of(messages.NO_SERVERS, path=self.source)
        names = config.servers if self.server is None or is_url(self.source) else (self.server,)
        return [config.server(name, allow_http=self.allow_http) for name in names]

    def _at_address(self) -> Config:
        headers = dict(self._headers())
        if self.bearer is not None:
            headers["Authorization"] = f"Bearer ${{{self.bearer}}}"
        entry: dict[str, Any] = {"url": self.source, "headers": headers, "type": self.transport}
        return Config({self.server or host_of(self.source): entry})

    def _headers(self) -> Iterator[tuple[str, str]]:
        for given in self.headers:
            header, equals, variable = given.partition("=")
            if not equals or not variable.isidentifier():
                raise CommandError.of(http_messages.BAD_HEADER_OPTION, given=header)
            yield header, f"${{{variable}}}"

    def _in_file(self) -> Config | Captured:
        options = {"--bearer-env": self.bearer, "--header-env": self.headers, "--transport": self.transport}
        given = next((option for option, value in options.items() if value), None)
        if given is not None:
            raise CommandError.of(http_messages.ONLY_FOR_ADDRESS, option=given, path=self.source)
        try:
            return read_source(self.source)
        except OSError as error:
            raise CommandError.of(command_messages.CANNOT_READ, path=self.source, reason=reason(error)) from error


def _fetched(server: Server) -> Catalogue:
    require_extra("agentl mcp", "mcp", "mcp")
    from agentl.hosting.mcp.connection import ServerConnection

    with closing(ServerConnection(server)) as connection:
        return connection.catalogue()
