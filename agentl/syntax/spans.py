"""Where each node stands in its source, by node identity; a node itself never holds its place."""

from __future__ import annotations

from agentl.diagnostics import Source, Span
from agentl.ir.node import Node


class Spans:
    """Filled by the lowering with token numbers; asked with nodes of the same parse, or of a module joined to it."""

    def __init__(self, source: Source, starts: list[int], ends: list[int]) -> None:
        self._source = source
        self._joined: list[Spans] = []
        self._starts = starts
        self._ends = ends
        # The node is kept beside its place, so that its identity is never given to another one.
        self._places: dict[int, tuple[Node, int, int, int]] = {}

    def add(self, node: Node, anchor: int, first: int, last: int) -> None:
        """Note the anchor token of a node, and its first and last token."""
        self._places[id(node)] = (node, anchor, first, last)

    def copy(self, original: Node, node: Node) -> None:
        """Give a node the place of another one."""
        _, anchor, first, last = self._places[id(original)]
        self.add(node, anchor, first, last)

    def join(self, other: Spans) -> None:
        """Know the places in another file too, and in those it has joined."""
        for each in (other, *other._joined):
            if each is not self and all(each is not known for known in self._joined):
                self._joined.append(each)

    def __contains__(self, node: Node) -> bool:
        return any(id(node) in each._places for each in (self, *self._joined))

    def _of(self, node: Node) -> Spans:
        """Return the spans of the file a node stands in. Raises KeyError."""
        for each in (self, *self._joined):
            if id(node) in each._places:
                return each
        raise KeyError(node.kind)

    def anchor_token(self, node: Node) -> int:
        """Return the number of the anchor token, of a node of this text."""
        return self._places[id(node)][1]

    def source(self, node: Node) -> Source:
        """Return the text a node stands in: another one than that of the parse for what a module brought in."""
        return self._of(node)._source

    def anchor(self, node: Node) -> Span:
        """Return the token a finding about the node points at (diagnostics.md §1.4).

        First token of a statement, effect word of a rule, name of a tool, keyword of a plan, event, goal, hypothesis,
        scenario, planner, loop or agent, message name of ON MESSAGE, first path token of an observer, belief or
        evidence item, operator of a comparison. Raises KeyError for a node of another parse.
        """
        own = self._of(node)
        _, anchor, _, _ = own._places[id(node)]
        return Span(own._starts[anchor], own._ends[anchor])

    def extent(self, node: Node) -> Span:
        """Return the whole stretch of a node. Raises KeyError for a node of another parse."""
        own = self._of(node)
        _, _, first, last = own._places[id(node)]
        return Span(own._starts[first], own._ends[last])
