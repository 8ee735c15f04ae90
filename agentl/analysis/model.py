"""AgentModel and ProgramModel: what all rules need, computed once, and the way they report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from agentl.analysis import facts
from agentl.analysis.at_hand import NOTHING_KNOWN, AtHand
from agentl.analysis.guards import Guards
from agentl.analysis.paths import function_calls, paths
from agentl.analysis.profile import Profile
from agentl.analysis.searched import Searched, searched_expressions
from agentl.analysis.statements import Site, statements
from agentl.diagnostics import Diagnostic, Fix, Related, Source, Span
from agentl.ir.declarations import Plan, Tool
from agentl.ir.expressions import FunctionCall
from agentl.ir.node import Node
from agentl.ir.program import Agent, Program
from agentl.ir.statements import Call, Delegate, Judge, Reason, Set
from agentl.messages import Message, Text, lint

if TYPE_CHECKING:
    from agentl.analysis.host_file import HostFile
    from agentl.syntax.parser import Parsed

Hint = tuple[Text, Mapping[str, object]]
Derived = TypeVar("Derived")


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

    def whole(self, node: Node) -> Span:
        """Return the whole stretch of a node."""
        return self._spans.extent(node)

    def text(self, node: Node) -> str:
        """Return a node as it is written."""
        start, end = self.whole(node)
        return self.source(node).text[start:end]

    def share_line(self, one: Node, other: Node) -> bool:
        """True when both nodes are shown on the same line."""
        return self._line(one) == self._line(other)

    def _line(self, node: Node) -> tuple[str, int]:
        source = self.source(node)
        return source.name, source.position(self.of(node).start).line


class AgentModel:
    """One agent with its derived sets (diagnostics.md §1.3). Each set is computed on first use."""

    def __init__(
        self,
        agent: Agent,
        places: Places,
        profile: Profile = "reference",
        host: HostFile | None = None,
        at_hand: AtHand = NOTHING_KNOWN,
    ) -> None:
        self.agent = agent
        self.places = places
        self.profile = profile
        self.host = host
        self.at_hand = at_hand
        self._derived: dict[object, object] = {}

    def looking_at(self, searched: Iterable[Searched]) -> AgentModel:
        """Return a model of the same agent in which calls are looked for in other expressions."""
        other = AgentModel(self.agent, self.places, self.profile, self.host, self.at_hand)
        other.searched = tuple(searched)
        return other

    def derived(self, make: Callable[[AgentModel], Derived]) -> Derived:
        """Return what `make` makes of this model, made once: for facts that only some rules need."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("Derived", self._derived[make])

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """`statements(A)`, each with the declaration it stands in."""
        return tuple(statements(self.agent))

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """The declared tools by name; the first of two with one name."""
        return {tool.name: tool for tool in reversed(self.agent.tools)}

    @cached_property
    def operators(self) -> tuple[Tool, ...]:
        """The tools that declare what they bring about, in source order."""
        return tuple(tool for tool in self.agent.tools if facts.is_operator(tool))

    @cached_property
    def plans(self) -> Mapping[str, Plan]:
        return {plan.name: plan for plan in reversed(self.agent.plans)}

    @cached_property
    def calls(self) -> tuple[tuple[Call, str], ...]:
        """Every call statement with its symbol."""
        return tuple((s, symbol) for s, symbol in self.sites if isinstance(s, Call))

    @cached_property
    def oracles(self) -> tuple[tuple[Reason | Judge, str], ...]:
        """Every LLM statement with its symbol; the REASON of DECIDE is none (diagnostics.md §1.2)."""
        return tuple((s, symbol) for s, symbol in self.sites if isinstance(s, Reason | Judge))

    @cached_property
    def delegates(self) -> frozenset[str]:
        """The names of sub-agents delegated to."""
        return frozenset(s.to for s, _ in self.sites if isinstance(s, Delegate))

    @cached_property
    def observed(self) -> frozenset[str]:
        return frozenset(observer.path for observer in self.agent.observers)

    @cached_property
    def hypotheses(self) -> frozenset[str]:
        """The names of the hypotheses."""
        return frozenset(hypothesis.name for hypothesis in self.agent.hypotheses)

    @cached_property
    def set_paths(self) -> frozenset[str]:
        """What some SET gives a value to."""
        return frozenset(s.path for s, _ in self.sites if isinstance(s, Set))

    @cached_property
    def guards(self) -> Guards:
        return Guards(self.agent)

    @cached_property
    def expected(self) -> frozenset[str]:
        """Every path that some EXPECT { … } of the agent reads."""
        return frozenset(path for s in self.agent.scenarios for expected in s.expect for path in paths(expected))

    @cached_property
    def referenced(self) -> frozenset[str]:
        return facts.referenced(self.agent, self.sites)

    @cached_property
    def sorted_referenced(self) -> tuple[str, ...]:
        return tuple(sorted(self.referenced))

    @cached_property
    def refreshed(self) -> frozenset[str]:
        return facts.refreshed(self.agent, self.sites)

    @cached_property
    def known(self) -> frozenset[str]:
        return facts.known(self.agent, self.sites) | self._inferred

    @cached_property
    def produced(self) -> frozenset[str]:
        return facts.produced(self.agent, self.sites) | self._inferred

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The names of one segment that something in the agent may define."""
        return frozenset(path for path in self.known if "." not in path)

    @property
    def _inferred(self) -> frozenset[str]:
        """What the agent brings about itself and AGENT-L 1.10 forgets in KNOWN and PRODUCED."""
        return frozenset() if self.profile == "compat" else facts.inferred(self.agent)

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
        fixes: Iterable[Fix] = (),
        **arguments: object,
    ) -> Diagnostic:
        """Make the finding at a node; `arguments` fill the message, `symbol` is as in tooling.md §11.1."""
        text, hint_arguments = hint or (None, {})
        return Diagnostic(
            message,
            {"agent": self.agent.name, **arguments},
            severity="warning" if message.code.startswith("W") else "error",
            span=self.places.of(node),
            source=self.places.source(node),
            hint=text,
            hint_arguments=hint_arguments,
            related=tuple(related),
            fixes=tuple(fixes),
            agent=self.agent.name,
            symbol=symbol,
        )

    def report_within(
        self,
        message: Message,
        owner: Node,
        node: Node,
        shown: str,
        /,
        *,
        symbol: str = "",
        hint: Hint | None = None,
        related: Iterable[Related] = (),
        fixes: Iterable[Fix] = (),
        **arguments: object,
    ) -> Diagnostic:
        """Make the finding about a part of something, on the line of the whole as in AGENT-L 1.10.

        Where the part stands on that very line it is the place itself; elsewhere it is shown as a related place, under
        the name `shown`.
        """
        if self.places.share_line(owner, node):
            place, seen = node, tuple(related)
        else:
            place, seen = owner, (self.related(node, lint.USED_HERE, name=shown), *related)
        return self.report(message, place, symbol=symbol, hint=hint, related=seen, fixes=fixes, **arguments)

    def report_call(
        self,
        message: Message,
        place: Searched,
        call: FunctionCall,
        hint: Hint | None = None,
        /,
        *,
        fixes: Iterable[Fix] = (),
        **arguments: object,
    ) -> Diagnostic:
        """Make the finding of a call inside an expression, on the line of the expression's owner."""
        return self.report_within(
            message,
            place.owner,
            call,
            call.function,
            symbol=place.symbol,
            hint=hint,
            related=(),
            fixes=fixes,
            **arguments,
        )

    def related(self, node: Node, text: Text, **arguments: object) -> Related:
        return Related(self.places.of(node), text, arguments, self.places.source(node))


class ProgramModel:
    """All agents of a file."""

    def __init__(
        self,
        program: Program,
        parsed: Parsed,
        profile: Profile = "reference",
        host: HostFile | None = None,
        at_hand: AtHand = NOTHING_KNOWN,
    ) -> None:
        places = Places(parsed)
        self.program = program
        self.profile = profile
        self.agents = tuple(AgentModel(agent, places, profile, host, at_hand) for agent in program.agents)

    @property
    def is_society(self) -> bool:
        """True where two or more agents are declared: only there rules ask how agents fit together."""
        return len(self.agents) >= 2
