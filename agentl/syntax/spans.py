"""Where each node stands in its source, by node identity; a node itself never holds its place."""

from __future__ import annotations

from agentl.diagnostics import Span
from agentl.ir.node import Node


class Spans:
    """Filled by the lowering with token numbers; asked with nodes of the same parse."""

    def __init__(self, starts: list[int], ends: list[int]) -> None:
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

    def __contains__(self, node: Node) -> bool:
        return id(node) in self._places

    def anchor_token(self, node: Node) -> int:
        """Return the number of the anchor token."""
        return self._places[id(node)][1]

    def anchor(self, node: Node) -> Span:
        """Return the token a finding about the node points at (diagnostics.md §1.4).

        First token of a statement, effect word of a rule, name of a tool, keyword of a plan, event, goal, hypothesis,
        scenario, planner, loop or agent, message name of ON MESSAGE, first path token of an observer, belief or
        evidence item, operator of a comparison. Raises KeyError for a node of another parse.
        """
        _, anchor, _, _ = self._places[id(node)]
        return Span(self._starts[anchor], self._ends[anchor])

    def extent(self, node: Node) -> Span:
        """Return the whole stretch of a node. Raises KeyError for a node of another parse."""
        _, _, first, last = self._places[id(node)]
        return Span(self._starts[first], self._ends[last])
