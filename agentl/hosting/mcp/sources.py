"""Where tools come from: a config of servers, or a captured list of tools (tooling.md §6)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.catalogue import CatalogueError
from agentl.messages import Phrase, Text
from agentl.messages import mcp as messages

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_TEXTS = Text("a list of texts", "une liste de textes")
_TEXT = Text("a text", "un texte")
_TEXTS_BY_NAME = Text("texts by name", "des textes par nom")


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a server is started. `env` comes on top of a few harmless variables; the rest is not passed on."""

    server: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """Servers by name, each as its entry stands in the config."""

    servers: Mapping[str, Any]

    def command(self, server: str) -> ServerCommand:
        """Return how to start a server; `${NAME}` in it is the environment variable.

        CatalogueError when there is no such server, or its entry starts no process.
        """
        if server not in self.servers:
            known = ", ".join(self.servers)
            raise CatalogueError.of(messages.UNKNOWN_SERVER, server=server, servers=known)
        return _command(server, self.servers[server])


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


def unusable(server: str, reason: object) -> HostError:
    """The refusal of a server for a reason (a text or a phrase)."""
    return CatalogueError.of(messages.BAD_SERVER, server=server, reason=reason)


def _command(server: str, entry: Any) -> ServerCommand:
    if not isinstance(entry, Mapping) or "command" not in entry:
        raise unusable(server, Phrase(messages.NO_COMMAND))

    def bad(name: str, expected: Text) -> HostError:
        return unusable(server, Phrase(messages.BAD_ENTRY, field=name, expected=Phrase(expected)))

    def filled(text: str) -> str:
        return _VARIABLE.sub(lambda match: _variable(server, match[1]), text)

    command, args = entry["command"], entry.get("args") or []
    env, cwd = entry.get("env") or {}, entry.get("cwd")
    if not isinstance(command, str) or not command:
        raise bad("command", _TEXT)
    if not isinstance(args, list) or not all(isinstance(item, str) for item in args):
        raise bad("args", _TEXTS)
    if not isinstance(env, Mapping) or not all(isinstance(value, str) for value in env.values()):
        raise bad("env", _TEXTS_BY_NAME)
    if cwd is not None and not isinstance(cwd, str):
        raise bad("cwd", _TEXT)
    return ServerCommand(
        server,
        filled(command),
        tuple(filled(item) for item in args),
        {str(name): filled(value) for name, value in env.items()},
        None if cwd is None else filled(cwd),
    )


def _variable(server: str, name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise unusable(server, Phrase(messages.UNSET_VARIABLE, name=name))
    return value


def _unreadable(path: str | Path, reason: Phrase) -> CatalogueError:
    return CatalogueError.of(messages.SOURCE_UNREADABLE, path=str(path), reason=reason)
