"""Where programs came from: the text behind what parse_source and parse_file returned, for as long as that lives.

WHY: a node never holds its place, and AGENT-L 1.10's functions get an agent or a program alone.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

from agentl.diagnostics import Source
from agentl.ir.node import Node
from agentl.syntax.reading import Parsed


@dataclass(frozen=True, slots=True)
class Origin:
    """A text and those it imports, by name."""

    source: Source
    modules: dict[str, str]


_ORIGINS: dict[int, tuple[weakref.ref[Node], Origin]] = {}


def remember(parsed: Parsed) -> None:
    """Note the text of a program and of each of its agents."""
    if parsed.program is None:
        return
    origin = Origin(parsed.source, {name: source.text for name, source in parsed.modules.items()})
    for node in (parsed.program, *parsed.program.agents):
        _remember(node, origin)


def origin_of(node: Node) -> Origin | None:
    """The text a program or agent was parsed from; None for one that was made in another way."""
    reference, origin = _ORIGINS.get(id(node), (None, None))
    return origin if reference is not None and reference() is node else None


def _remember(node: Node, origin: Origin) -> None:
    key = id(node)
    _ORIGINS[key] = (weakref.ref(node, lambda gone: _forget(key, gone)), origin)


def _forget(key: int, gone: weakref.ref[Node]) -> None:
    if key in _ORIGINS and _ORIGINS[key][0] is gone:
        del _ORIGINS[key]
