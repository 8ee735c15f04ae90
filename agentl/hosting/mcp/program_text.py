"""The program written from a catalogue: TOOLs without risk, for a person to judge (tooling.md §6)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentl.hosting.mcp.catalogue import Catalogue, ServerTool, identifier, parameter_name, quoted
from agentl.hosting.mcp.pin import pin_lines
from agentl.hosting.mcp.schema_types import ANYTHING, type_of, unchecked_in
from agentl.hosting.mcp.suspicion import order_in
from agentl.messages import mcp as messages
from agentl.values import canonical_json

WHOLE = "result"  # the output of a tool that names none
LONGEST = 200  # characters of a schema or an annotation that a comment shows
_OBJECT_KEYS = frozenset({"type", "properties", "required", "title", "description", "$schema", "$defs", "definitions"})
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def program_text(catalogue: Catalogue, version: str, *, with_descriptions: bool = False) -> str:
    """Return the program. Everything the server chose stands in quotes in a comment, or is a name made safe.

    `with_descriptions`: also write the descriptions of the server, as DESCRIPTION.
    """
    lines = [*_header(catalogue, version), "", f"AGENT {identifier(catalogue.server).upper()}_TOOLS {{"]
    for tool in catalogue.tools:
        lines += [f"    {line}".rstrip() for line in _tool(catalogue.server, tool, with_descriptions)]
        lines.append("")
    lines += ["    POLICY { DEFAULT DENY }", "}"]
    return "\n".join(lines) + "\n"


def _header(catalogue: Catalogue, version: str) -> Iterator[str]:
    count, server = len(catalogue.tools), quoted(catalogue.server)
    yield f"# {messages.HEADER_ORIGIN.text(count=count, server=server, version=version)}"
    yield from pin_lines(catalogue)
    for text in (messages.HEADER_PIN, messages.HEADER_JUDGE, messages.HEADER_CLAIMS):
        yield f"# {text.text()}"


def _tool(server: str, tool: ServerTool, with_description: bool) -> Iterator[str]:
    order = order_in(tool)
    if order:
        yield f"# {messages.COMMENT_SUSPICIOUS.text(phrase=quoted(order))}"
    if tool.annotations:
        yield f"# {messages.COMMENT_ANNOTATIONS.text(annotations=_shown(tool.annotations))}"
    name = tool.program_name(server)
    yield f"TOOL {name} {{{_called(tool.name, name.removeprefix(f'{identifier(server)}__'))}"
    if with_description and tool.description:
        yield f'    DESCRIPTION "{_literal(tool.description)}"'
    yield from (f"    {line}" for line in _inputs(tool))
    yield from (f"    {line}" for line in _outputs(tool))
    yield "    RISK UNSET"
    yield "}"


def _inputs(tool: ServerTool) -> Iterator[str]:
    schema = tool.facts["inputSchema"]
    required = _required(schema)
    yield from _beyond_properties(schema)
    parameters = (_parameter(name, inner, is_optional=name not in required) for name, inner in tool.inputs.items())
    yield from _block("INPUT", parameters)


def _outputs(tool: ServerTool) -> Iterator[str]:
    outputs = tool.outputs
    if outputs is None:
        yield f"OUTPUT {{ {WHOLE}: {ANYTHING} }}"
        return
    schema = tool.facts["outputSchema"]
    required = _required(schema)
    for name in outputs:
        if name not in required:
            yield f"# {messages.COMMENT_MAY_BE_ABSENT.text(name=quoted(name))}"
    yield from _beyond_properties(schema)
    yield from _block("OUTPUT", (_parameter(name, inner) for name, inner in outputs.items() if name in required))


def _block(word: str, lines: Iterable[str]) -> Iterator[str]:
    inside = [f"    {line}" for line in lines]
    yield from (f"{word} {{", *inside, "}") if inside else (f"{word} {{ }}",)


def _parameter(name: str, schema: Any, *, is_optional: bool = False) -> str:
    made = parameter_name(name)
    unchecked = unchecked_in(schema)
    notes = [messages.COMMENT_OPTIONAL.text()] if is_optional else []
    if made != name:
        notes.append(messages.COMMENT_CALLED.text(name=quoted(name)))
    if unchecked:
        notes.append(messages.COMMENT_UNCHECKED.text(schema=_shown(unchecked)))
    line = f"{made}: {type_of(schema)}"
    return f"{line}  # {'; '.join(notes)}" if notes else line


def _beyond_properties(schema: Mapping[str, Any]) -> Iterator[str]:
    beyond = {key: value for key, value in schema.items() if key not in _OBJECT_KEYS}
    if beyond:
        yield f"# {messages.COMMENT_UNCHECKED.text(schema=_shown(beyond))}"


def _required(schema: Mapping[str, Any]) -> frozenset[str]:
    listed = schema.get("required")
    return frozenset(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else frozenset()


def _called(name: str, made: str) -> str:
    return "" if name == made else f"  # {messages.COMMENT_CALLED.text(name=quoted(name))}"


def _shown(data: Mapping[str, Any]) -> str:
    """JSON of the server as one quoted text, cut where it is long: no comment mark of ours can be made of it."""
    text = canonical_json(data)
    return quoted(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def _literal(text: str) -> str:
    """The inside of a text of the language; what cannot be seen is written as its number."""
    return "".join(
        _ESCAPES.get(char)
        or (f"\\\\u{ord(char):04x}" if unicodedata.category(char)[0] in "CZ" and char != " " else char)
        for char in text
    )
