"""The names of tools and sensors in the Python file beside a program, by which its host registers them; never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lsprotocol.types import Location, Position, PositionEncodingKind
from pygls.uris import from_fs_path

from agentl.diagnostics import Span
from agentl.lsp.index import Subject
from agentl.lsp.names import Kind
from agentl.lsp.positions import Lines

# What a host registers under a name, by the attribute that takes it: `@host.tool("x")`, `host.tools["x"] = …`.
_KINDS = {
    "tool": Kind.TOOL,
    "tools": Kind.TOOL,
    "reconciler": Kind.TOOL,
    "reconcilers": Kind.TOOL,
    "idempotent_tools": Kind.TOOL,
    "sensor": Kind.PATH,
    "sensors": Kind.PATH,
    "subagent": Kind.AGENT,
    "subagents": Kind.AGENT,
}
_LONGEST = 2_000_000  # bytes


class HostName(NamedTuple):
    """A name in the source of a host; `span` is what stands between its quotes."""

    kind: Kind
    text: str
    span: Span


def names_in(source: str) -> list[HostName]:
    """Return the names that a host registers by writing them out, in the order they stand; none if it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = Lines(source, PositionEncodingKind.Utf8)
    found = [name for node in ast.walk(tree) for name in _of(node, source, lines)]
    return sorted(set(found), key=lambda name: name.span)


def locations(program: Path, subject: Subject, encoding: PositionEncodingKind | str) -> list[Location]:
    """Return where the host of a program has the name of a subject; of a path, the segment that is meant."""
    path = program.with_suffix(".py")
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig") if len(data) <= _LONGEST else ""
    except (OSError, UnicodeDecodeError):
        return []
    lines = Lines(text, encoding)
    uri = from_fs_path(str(path)) or ""
    spans = (_meant(name, subject) for name in names_in(text))
    return [Location(uri, lines.range(span)) for span in spans if span is not None]


def _meant(name: HostName, subject: Subject) -> Span | None:
    if name.kind is not subject.kind:
        return None
    is_below = name.kind is Kind.PATH and name.text.startswith(f"{subject.text}.")
    if name.text != subject.text and not is_below:
        return None
    end = name.span.start + len(subject.text)
    last = subject.text.rpartition(".")[2] if name.kind is Kind.PATH else subject.text
    return Span(end - len(last), end)


def _of(node: ast.AST, source: str, lines: Lines) -> Iterator[HostName]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        holder = node.func.value
        if node.func.attr in ("tool", "sensor", "subagent", "reconciler"):
            yield from _texts(_KINDS[node.func.attr], node.args[:1], source, lines)
        elif isinstance(holder, ast.Attribute) and holder.attr == "idempotent_tools":
            yield from _texts(Kind.TOOL, node.args, source, lines)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr in _KINDS:
        yield from _texts(_KINDS[node.value.attr], [node.slice], source, lines)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr in _KINDS:
                yield from _texts(_KINDS[target.attr], _keys(node.value), source, lines)


def _keys(value: ast.expr) -> list[ast.expr]:
    """Return the keys of a dict that is written out, or the elements of a set."""
    if isinstance(value, ast.Dict):
        return [key for key in value.keys if key is not None]
    return list(value.elts) if isinstance(value, ast.Set) else []


def _texts(kind: Kind, nodes: list[ast.expr], source: str, lines: Lines) -> Iterator[HostName]:
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node.end_lineno is None:
            continue
        start = lines.offset(Position(node.lineno - 1, node.col_offset))
        end = lines.offset(Position(node.end_lineno - 1, node.end_col_offset or 0))
        # As it is written, in plain quotes: in any other form a part of it could not be changed in its place.
        if source[start + 1 : end - 1] == node.value and source[start] == source[end - 1]:
            yield HostName(kind, node.value, Span(start + 1, end - 1))
