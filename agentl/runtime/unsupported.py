"""Which constructs of a program this release compiles but does not run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from agentl.diagnostics import Diagnostic, Source, Span
from agentl.ir.declarations import Scenario
from agentl.ir.node import Node
from agentl.ir.program import Agent, Program
from agentl.ir.walk import children
from agentl.messages import runtime as messages

# Node kinds, by the words of the language. A statement kind is either here or has a file in runtime/statements.
KINDS = {
    "parallel": "PARALLEL",
    "give": "GIVE",
    "stop": "STOP",
}


class Places(Protocol):
    """Where a node stands in its source: the spans of a parse."""

    def anchor(self, node: Node) -> Span: ...


def unsupported(program: Program, spans: Places | None = None, source: Source | None = None) -> tuple[Diagnostic, ...]:
    """Return one diagnostic for each construct that cannot run, in source order; empty when the program can run."""
    return tuple(found for agent in program.agents for found in unsupported_in(agent, spans, source))


def unsupported_in(agent: Agent, spans: Places | None = None, source: Source | None = None) -> Iterator[Diagnostic]:
    """As `unsupported`, for one agent."""
    for node, construct in _constructs(agent):
        yield Diagnostic(
            messages.NOT_RUN, {"construct": construct}, span=_span(node, spans), source=source, agent=agent.name
        )


def _span(node: Node, spans: Places | None) -> Span | None:
    if spans is None:
        return None
    try:
        return spans.anchor(node)
    except KeyError:
        return None


def _constructs(agent: Agent) -> Iterator[tuple[Node, str]]:
    """Visit all but scenarios: `run` ignores them (decision 43)."""
    stack: list[Node] = [agent]
    while stack:
        node = stack.pop()
        if node.kind in KINDS:
            yield node, KINDS[node.kind]
            continue
        stack.extend(child for _, child in reversed(list(children(node))) if not isinstance(child, Scenario))
