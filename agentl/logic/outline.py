"""A program's IR as text for people: one line a node, what it carries behind its title, its parts below it.

Defaults are left out: a line says what was written. The form is for reading and for snapshots; the digest and the
canonical JSON say the same to programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from agentl.ir.digest import program_digest
from agentl.ir.expressions import NamedArgument
from agentl.ir.node import Node
from agentl.ir.program import Program
from agentl.ir.shape import is_default, parts, title, values
from agentl.logic.render import render_expression

_PLAIN = re.compile(r"[A-Za-z0-9_.*:/+-]+")
_USUAL = ("body", "then")
_WORDS: dict[bool | None, str] = {None: "none", True: "yes", False: "no"}


def outline(program: Program) -> str:
    """Return the digest and a line for every node, indented by depth, without a final newline."""
    return "\n".join([f"digest {program_digest(program)}", *lines_of(program)])


def lines_of(node: Node) -> list[str]:
    """Return the lines of a node and everything below it, indented by depth."""
    return [f"{'  ' * depth}{text}" for depth, text in _lines(node)]


def trail_text(trail: Iterable[tuple[str, Node]]) -> str:
    """Return the way to a node, e.g. `agent payments › plan settle › step pay › otherwise: call notify`."""
    return " › ".join(
        title_of(node) if _tells_itself(field, node) else f"{field}: {title_of(node)}" for field, node in trail
    )


def _lines(node: Node) -> Iterator[tuple[int, str]]:
    """Yield (depth, line). Uses its own stack: depth never meets Python's limit."""
    stack: list[tuple[int, Node | str]] = [(0, node)]
    while stack:
        depth, current = stack.pop()
        if isinstance(current, str):
            yield depth, f"{current}:"
            continue
        yield depth, line_of(current)
        below: list[tuple[int, Node | str]] = []
        for field, nodes in parts(current):
            labelled = not _tells_itself(field, nodes[0])
            below += [(depth + 1, field)] if labelled else []
            below += [(depth + 1 + labelled, part) for part in nodes]
        stack.extend(reversed(below))


def _tells_itself(field: str, part: Node) -> bool:
    """True where a label would only repeat the kind (`tools` hold a `tool`), or is the usual body."""
    return field in _USUAL or field[:4] == part.kind[:4]


def line_of(node: Node, *, values_too: bool = True) -> str:
    """Return a node's own line: title and values, e.g. `rule NEVER transfer  guard: amount > 1000`."""
    carried = [f"{name}: {shown(value)}" for name, value in values(node) if not is_default(node, name, value)]
    return "  ".join([title_of(node), *(carried if values_too else ())])


def title_of(node: Node) -> str:
    """Return a node's kind and what tells it apart, e.g. `rule NEVER transfer`."""
    return " ".join(shown(part) for part in title(node))


def shown(value: object) -> str:
    """Return a value on one line: expressions as they are written, other texts quoted unless they are plain words."""
    if isinstance(value, tuple):
        return f"[{', '.join(shown(item) for item in value)}]"
    if isinstance(value, NamedArgument):
        return f"{value.name} = {shown(value.value)}"
    if isinstance(value, Node):
        return printable(render_expression(value))  # type: ignore[arg-type]  # what is no part is an expression
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else printable(json.dumps(value, ensure_ascii=False))
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


def printable(text: str) -> str:
    """Return a text with what would change how it reads (control and direction marks) written as escapes."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
