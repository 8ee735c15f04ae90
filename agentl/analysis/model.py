"""AgentModel and ProgramModel: what all rules need, computed once, and the way they report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from agentl.analysis import facts
from agentl.analysis.paths import function_calls
from agentl.analysis.searched import Searched, searched_expressions
from agentl.analysis.statements import Site, statements
from agentl.diagnostics import Diagnostic, Related, Source, Span
from agentl.ir.declarations import Plan, Tool
from agentl.ir.expressions import FunctionCall
from agentl.ir.node import Node
from agentl.ir.program import Agent, Program
from agentl.ir.statements import Delegate
from agentl.messages import Message, Text, lint

if TYPE_CHECKING:
    from agentl.syntax.parser import Parsed

Hint = tuple[Text, Mapping[str, object]]


class Places:
    """Where nodes stand in the source, or in that of a module."""

    def __init__(self, parsed: Parsed) -> None:
        self._spans = parsed.spans

    def source(self, node: Node) -> Source:
        """Return the text a node stands in."""
        return self._spans.source(node)

    def of(self, node: Node) -> Span:
        """Return the whole node when it starts at its anchor and fits on one line, else its anchor."""
        anchor, extent = self._spans.anchor(node), self._spans.extent(node)
        line = self.source(node).position
        if extent.start == anchor.start and line(extent.start).line == line(extent.end).line:
            return extent
        return anchor

    def share_line(self, one: Node, other: Node) -> bool:
        """True when both nodes are shown on the same line."""
        return self._line(one) == self._line(other)

    def _line(self, node: Node) -> tuple[str, int]:
        source = self.source(node)
        return source.name, source.position(self.of(node).start).line


class AgentModel:
    """One agent with its derived sets (diagnostics.md §1.3). Each set is computed on first use."""

    def __init__(self, agent: Agent, places: Places) -> None:
        self.agent = agent
        self.places = places

    def looking_at(self, searched: Iterable[Searched]) -> AgentModel:
        """Return a model of the same agent in which calls are looked for in other expressions."""
        other = AgentModel(self.agent, self.places)
        other.searched = tuple(searched)
        return other

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """`statements(A)`, each with the declaration it stands in."""
        return tuple(statements(self.agent))

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """The declared tools by name; the first of two with one name."""
        return {tool.name: tool for tool in reversed(self.agent.tools)}

    @cached_property
    def plans(self) -> Mapping[str, Plan]:
        return {plan.name: plan for plan in reversed(self.agent.plans)}

    @cached_property
    def delegates(self) -> frozenset[str]:
        """The names of sub-agents delegated to."""
        return frozenset(s.to for s, _ in self.sites if isinstance(s, Delegate))

    @cached_property
    def referenced(self) -> frozenset[str]:
        return facts.referenced(self.agent, self.sites)

    @cached_property
    def refreshed(self) -> frozenset[str]:
        return facts.refreshed(self.agent, self.sites)

    @cached_property
    def known(self) -> frozenset[str]:
        return facts.known(self.agent, self.sites)

    @cached_property
    def produced(self) -> frozenset[str]:
        return facts.produced(self.agent, self.sites)

    @cached_property
    def searched_calls(self) -> tuple[tuple[Searched, FunctionCall], ...]:
        """Every call inside a searched expression, nested ones included."""
        return tuple((place, call) for place in self.searched for call in function_calls(place.expression))

    @cached_property
    def searched(self) -> tuple[Searched, ...]:
        """The expressions in which calls are checked, and no others (E009 in diagnostics.md §2)."""
        return tuple(searched_expressions(self.agent, self.sites))

    def report(
        self,
        message: Message,
        node: Node,
        /,
        *,
        symbol: str = "",
        hint: Hint | None = None,
        related: Iterable[Related] = (),
        **arguments: object,
    ) -> Diagnostic:
        """Make the finding at a node; `arguments` fill the message, `symbol` is as in tooling.md §11.1."""
        return self._diagnostic(message, node, symbol, hint, tuple(related), arguments)

    def report_call(
        self, message: Message, place: Searched, call: FunctionCall, hint: Hint | None = None, /, **arguments: object
    ) -> Diagnostic:
        """Make the finding of a call inside an expression.

        The line is that of the expression's owner, as in AGENT-L 1.10. Where the call stands on that very line it is
        the place itself, elsewhere it is shown as the related place.
        """
        if self.places.share_line(place.owner, call):
            return self._diagnostic(message, call, place.symbol, hint, (), arguments)
        here = self.related(call, lint.USED_HERE, name=call.function)
        return self._diagnostic(message, place.owner, place.symbol, hint, (here,), arguments)

    def _diagnostic(
        self,
        message: Message,
        node: Node,
        symbol: str,
        hint: Hint | None,
        related: tuple[Related, ...],
        arguments: Mapping[str, object],
    ) -> Diagnostic:
        text, hint_arguments = hint or (None, {})
        return Diagnostic(
            message,
            {"agent": self.agent.name, **arguments},
            severity="warning" if message.code.startswith("W") else "error",
            span=self.places.of(node),
            source=self.places.source(node),
            hint=text,
            hint_arguments=hint_arguments,
            related=related,
            agent=self.agent.name,
            symbol=symbol,
        )

    def related(self, node: Node, text: Text, **arguments: object) -> Related:
        return Related(self.places.of(node), text, arguments, self.places.source(node))


class ProgramModel:
    """All agents of a file."""

    def __init__(self, program: Program, parsed: Parsed) -> None:
        places = Places(parsed)
        self.program = program
        self.agents = tuple(AgentModel(agent, places) for agent in program.agents)

    @property
    def is_society(self) -> bool:
        """Program-level rules run only where two or more agents are declared."""
        return len(self.agents) >= 2
