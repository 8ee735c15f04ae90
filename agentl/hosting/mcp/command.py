"""A server started as a process: the entry of a config with a `command` (tooling.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentl.hosting.mcp.catalogue import CatalogueError, unusable
from agentl.hosting.mcp.environment import filled, is_credential, secrets_of
from agentl.messages import Phrase, Text
from agentl.messages import mcp as messages


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a server is started. `env` comes on top of a few harmless variables; the rest is not passed on.

    `secrets`: texts the server was given and nobody else may see.
    """

    server: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)


def command_of(server: str, entry: Mapping[str, Any]) -> ServerCommand:
    """Read an entry; `${NAME}` in it is the environment variable. CatalogueError when it starts no process."""

    def bad(name: str, expected: Text) -> CatalogueError:
        return unusable(server, Phrase(messages.BAD_ENTRY, field=name, expected=Phrase(expected)))

    command, args = entry["command"], entry.get("args") or []
    env, cwd = entry.get("env") or {}, entry.get("cwd")
    if not isinstance(command, str) or not command:
        raise bad("command", messages.EXPECTED_TEXT)
    if not isinstance(args, list) or not all(isinstance(item, str) for item in args):
        raise bad("args", messages.EXPECTED_TEXTS)
    if not isinstance(env, Mapping) or not all(isinstance(value, str) for value in env.values()):
        raise bad("env", messages.EXPECTED_TEXTS_BY_NAME)
    if cwd is not None and not isinstance(cwd, str):
        raise bad("cwd", messages.EXPECTED_TEXT)
    given = {str(name): filled(server, value) for name, value in env.items()}
    return ServerCommand(
        server,
        filled(server, command),
        tuple(filled(server, item) for item in args),
        given,
        None if cwd is None else filled(server, cwd),
        secrets_of(value for name, value in given.items() if is_credential(name)),
    )
