"""What an MCP server offers, as it says it, and the digest that tells whether it still does (tooling.md §6)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agentl.hosting.loading import HostError
from agentl.messages import Phrase
from agentl.messages import mcp as messages
from agentl.values import canonical_json

# What makes a tool what it is. Left out is what a server may change from one list to the next (`_meta`) or draws.
_TEXTS = ("title", "description")
_SCHEMAS = ("inputSchema", "outputSchema")
_HINTS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class CatalogueError(HostError):
    """A source of MCP tools that cannot be used."""


@dataclass(frozen=True)
class ServerTool:
    """One tool as the server describes it: its own word throughout, none of it believed."""

    name: str
    facts: Mapping[str, Any]

    @property
    def description(self) -> str:
        return str(self.facts.get("description", ""))

    @property
    def annotations(self) -> Mapping[str, Any]:
        annotations: Mapping[str, Any] = self.facts.get("annotations", {})
        return annotations

    @property
    def inputs(self) -> Mapping[str, Any]:
        """The properties of the input schema by name."""
        return properties_of(self.facts["inputSchema"])

    @property
    def outputs(self) -> Mapping[str, Any] | None:
        """The properties of the output schema; None when it has none that are named."""
        schema = self.facts.get("outputSchema")
        return (properties_of(schema) or None) if isinstance(schema, Mapping) else None

    @cached_property
    def digest(self) -> str:
        """SHA-256 hex of the canonical text of this tool alone, description included."""
        return _sha256(self._listed)

    @property
    def _listed(self) -> dict[str, Any]:
        return {"name": self.name, **self.facts}

    def program_name(self, server: str) -> str:
        """What the tool is called in a program."""
        return f"{identifier(server)}__{identifier(self.name)}"


@dataclass(frozen=True)
class Catalogue:
    """The tools of one server, sorted by name."""

    server: str
    tools: tuple[ServerTool, ...]

    @classmethod
    def of(cls, server: str, listed: Iterable[Any]) -> Catalogue:
        """Read the tools of a tools/list answer. CatalogueError when one is none, or two would get one name."""
        tools = [_tool(server, number, raw) for number, raw in enumerate(listed, 1)]
        _refuse_same_names(server, [(tool.name, tool.program_name(server)) for tool in tools])
        for tool in tools:
            for names in (tool.inputs, tool.outputs or {}):
                _refuse_same_names(server, [(name, parameter_name(name)) for name in names])
        return cls(server, tuple(sorted(tools, key=lambda tool: tool.name)))

    @cached_property
    def digest(self) -> str:
        """SHA-256 hex of the canonical text of all tools, descriptions included."""
        return _sha256([tool._listed for tool in self.tools])


def unusable(server: str, reason: object) -> CatalogueError:
    """The refusal of a server for a reason (a text or a phrase)."""
    return CatalogueError.of(messages.BAD_SERVER, server=server, reason=reason)


def quoted(text: str) -> str:
    """A text of a server, safe in one line of a comment or on a terminal: ASCII, without control characters."""
    return json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")


def identifier(name: str) -> str:
    """A name of the language that looks like `name`; what it cannot have is `_`."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{made}" if not made or made[0].isdigit() else made


def parameter_name(name: str) -> str:
    """The INPUT or OUTPUT name of a property: never a reserved word, since those are in full upper case."""
    made = identifier(name)
    return made.lower() if made.isupper() else made


def properties_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The named properties of an object schema, in its order."""
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _tool(server: str, number: int, raw: Any) -> ServerTool:
    def bad(field: str) -> CatalogueError:
        return _unusable(server, Phrase(messages.BAD_TOOL, number=number, field=field))

    if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str) or not raw["name"]:
        raise bad("name")
    facts: dict[str, Any] = {}
    for field in (*_TEXTS, *_SCHEMAS, "annotations"):
        value = raw.get(field)
        if value is None:
            continue
        if not isinstance(value, str if field in _TEXTS else Mapping):
            raise bad(field)
        facts[field] = value
    facts.setdefault("inputSchema", {})
    hints = facts.pop("annotations", {})
    hints = {name: hints[name] for name in _HINTS if hints.get(name) is not None}
    if hints:
        facts["annotations"] = hints
    try:
        canonical_json(facts)
    except (TypeError, ValueError, RecursionError):
        raise bad("schema") from None
    return ServerTool(raw["name"], facts)


def _refuse_same_names(server: str, names: Iterable[tuple[str, str]]) -> None:
    """Refuse two names of the server that the language would not tell apart; `names`: theirs and ours."""
    seen: dict[str, str] = {}
    for name, made in names:
        if made in seen:
            raise _unusable(server, Phrase(messages.SAME_NAME, first=seen[made], second=name, name=made))
        seen[made] = name


def _sha256(data: object) -> str:
    return hashlib.sha256(canonical_json(data).encode("utf-8", "surrogatepass")).hexdigest()


def _unusable(server: str, reason: Phrase) -> CatalogueError:
    return CatalogueError.of(messages.BAD_CATALOGUE, server=server, reason=reason)
