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

# Node kinds, by the words of the language, that the grammar has and the machine has not: none at present. A statement
# kind is either here or has a file in runtime/statements.
KINDS: dict[str, str] = {}


class Places(Protocol):
    """Where a node stands in its source: the spans of a parse."""

    def anchor(self, node: Node) -> Span: ...

    def source(self, node: Node) -> Source: ...


def unsupported(program: Program, spans: Places | None = None, source: Source | None = None) -> tuple[Diagnostic, ...]:
    """Return one diagnostic for each construct that cannot run, in source order; empty when the program can run."""
    if not program.agents:
        return (Diagnostic(messages.NO_AGENT, source=source),)
    return tuple(found for agent in program.agents for found in unsupported_in(agent, spans, source))


def unsupported_in(agent: Agent, spans: Places | None = None, source: Source | None = None) -> Iterator[Diagnostic]:
    """As `unsupported`, for one agent."""
    for node, construct in _constructs(agent):
        span, text = _place(node, spans, source)
        yield Diagnostic(messages.NOT_RUN, {"construct": construct}, span=span, source=text, agent=agent.name)


def _place(node: Node, spans: Places | None, source: Source | None) -> tuple[Span | None, Source | None]:
    """Where a node stands: what a module brought in stands in another text than the program."""
    if spans is None:
        return None, source
    try:
        return spans.anchor(node), spans.source(node)
    except KeyError:
        return None, source


def _constructs(agent: Agent) -> Iterator[tuple[Node, str]]:
    """Visit all but scenarios: `run` ignores them (decision 43)."""
    stack: list[Node] = [agent]
    while stack:
        node = stack.pop()
        if node.kind in KINDS:
            yield node, KINDS[node.kind]
            continue
        stack.extend(child for _, child in reversed(list(children(node))) if not isinstance(child, Scenario))
