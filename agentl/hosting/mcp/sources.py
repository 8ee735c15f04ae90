"""Where tools come from: a config of servers, or a captured list of tools (tooling.md §6)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentl.hosting.mcp.catalogue import CatalogueError, unusable
from agentl.hosting.mcp.command import ServerCommand, command_of
from agentl.hosting.mcp.endpoint import Endpoint, endpoint_of
from agentl.messages import Phrase
from agentl.messages import mcp as messages

Server = ServerCommand | Endpoint


@dataclass(frozen=True, slots=True)
class Config:
    """Servers by name, each as its entry stands in the config."""

    servers: Mapping[str, Any]

    def server(self, name: str, *, allow_http: bool = False) -> Server:
        """Return how to reach a server: by a process to start, or at an address.

        `${NAME}` in its entry is the environment variable; `allow_http`: plain http:// may leave this machine.
        CatalogueError when there is no such server, or its entry is no way to one.
        """
        if name not in self.servers:
            known = ", ".join(self.servers)
            raise CatalogueError.of(messages.UNKNOWN_SERVER, server=name, servers=known)
        entry = self.servers[name]
        if not isinstance(entry, Mapping) or ("command" in entry) == ("url" in entry):
            raise unusable(name, Phrase(messages.COMMAND_OR_URL))
        return command_of(name, entry) if "command" in entry else endpoint_of(name, entry, allow_http=allow_http)


@dataclass(frozen=True, slots=True)
class Captured:
    """The tools of an answer to tools/list; it does not say whose they are."""

    tools: tuple[Any, ...]


def read_source(path: str | Path) -> Config | Captured:
    """Read a source of tools. OSError when the file cannot be read, CatalogueError when it is none."""
    data = Path(path).read_bytes()
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, Phrase(messages.NOT_JSON, detail=" ".join(str(error).split()))) from None
    return source_of(found, path)


def source_of(found: Any, path: str | Path = "config") -> Config | Captured:
    """Return what JSON data is a source of. CatalogueError when it is none."""
    if isinstance(found, Mapping):
        for key in ("mcpServers", "servers"):
            if isinstance(found.get(key), Mapping):
                return Config(found[key])
        answer = found.get("result", found)
        if isinstance(answer, Mapping) and isinstance(answer.get("tools"), list):
            if answer.get("nextCursor"):
                raise _unreadable(path, Phrase(messages.NOT_WHOLE))
            return Captured(tuple(answer["tools"]))
    raise _unreadable(path, Phrase(messages.NEITHER_CONFIG_NOR_LIST))


def _unreadable(path: str | Path, reason: Phrase) -> CatalogueError:
    return CatalogueError.of(messages.SOURCE_UNREADABLE, path=str(path), reason=reason)
