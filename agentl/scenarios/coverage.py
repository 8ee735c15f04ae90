"""Coverage: which parts of a program its scenarios reach, and which none of them does (tooling.md §10).

A policy rule is reached when it decides: that it was asked, and another rule spoke, shows nothing about it. The whole
is every part of every program that was looked at, also of those without a scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from agentl.analysis.model import AgentModel
from agentl.ir.node import Node
from agentl.ir.program import Agent
from agentl.kernel.request import ActionRequest, Decision
from agentl.logic.scope import Scope
from agentl.policy.engine import PolicyEngine
from agentl.policy.explain import explain
from agentl.policy.rules import render_rule
from agentl.runtime.state import State
from agentl.runtime.trace import TraceEvent

Kind = Literal["rule", "tool", "plan", "event", "message"]
KINDS: tuple[Kind, ...] = ("rule", "tool", "plan", "event", "message")
Reached = frozenset[tuple[Kind, str]]
"""Kind and name; of a rule its number in the agent, from 1."""

# Which line of a trace says that a part was reached, and the fact of it that holds the name.
_SHOWN: dict[tuple[str, str], tuple[Kind, str]] = {
    ("PLAN", "started"): ("plan", "plan"),
    ("EVENT", "handled"): ("event", "source"),
    ("MESSAGE", "received"): ("message", "message"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an agent: `text` is how it is written, in short, `file` and `line` where it stands."""

    kind: Kind
    name: str
    text: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """The parts of one agent, and which of them its scenarios reached."""

    file: str
    agent: str
    parts: tuple[Part, ...]
    reached: Reached

    @property
    def missing(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if not self.has(part))

    def has(self, part: Part) -> bool:
        return (part.kind, part.name) in self.reached

    def counts(self) -> dict[Kind, tuple[int, int]]:
        """How many parts of each kind were reached, of how many; kinds the agent has none of are left out."""
        found = {}
        for kind in KINDS:
            parts = [part for part in self.parts if part.kind == kind]
            if parts:
                found[kind] = sum(self.has(part) for part in parts), len(parts)
        return found


def percent(coverages: Iterable[Coverage]) -> int | None:
    """Return how much was reached, rounded down: 100 only for all of it. None where there is nothing to reach."""
    reached = total = 0
    for coverage in coverages:
        total += len(coverage.parts)
        reached += len(coverage.parts) - len(coverage.missing)
    return None if total == 0 else 100 * reached // total


def parts_of(model: AgentModel) -> tuple[Part, ...]:
    """Return everything a scenario of the agent can reach, in the order of its declarations."""
    return tuple(_parts(model))


def _parts(model: AgentModel) -> Iterator[Part]:
    agent = model.agent

    def part(kind: Kind, name: str, text: str, node: Node) -> Part:
        source = model.places.source(node)
        return Part(kind, name, text, source.name, source.position(model.places.of(node).start).line)

    yield from (part("rule", str(number), render_rule(rule), rule) for number, rule in enumerate(agent.rules, 1))
    yield from (part("tool", tool.name, f"TOOL {tool.name}", tool) for tool in agent.tools)
    yield from (part("plan", plan.name, f"PLAN {plan.name}", plan) for plan in agent.plans)
    for event in _first_of_name(agent.events, "source"):
        yield part("event", event.source, f"EVENT {event.source}", event)
    for handler in _first_of_name(agent.messages, "message"):
        yield part("message", handler.message, f"ON MESSAGE {handler.message}", handler)


def _first_of_name(handlers: Iterable[Node], field: str) -> Iterator[Any]:
    """Several handlers of one name are one part: a trace does not tell which of them it was."""
    seen: set[str] = set()
    for handler in handlers:
        name = getattr(handler, field)
        if name not in seen:
            seen.add(name)
            yield handler


class WatchedPolicy(PolicyEngine):
    """The policy of an agent, which notes the rules that decide about actions."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.decided: set[int] = set()

    def decide(self, request: ActionRequest, scope: Scope) -> Decision:
        decision = super().decide(request, scope)
        # WHY: a planner asks about actions in worlds it only imagines; those are overlays, never a State.
        if isinstance(scope, State):
            seen = scope.overlaid(request.args, request.provenance, request)
            rules = explain(self.concerning(request.tool), seen, decision).rules
            self.decided.update(rule.index for rule in rules if rule.decided)
        return decision


def reached(policy: WatchedPolicy, called: Iterable[str], trace: Iterable[TraceEvent]) -> Reached:
    """Return what one scenario reached."""
    found: set[tuple[Kind, str]] = {("rule", str(index)) for index in policy.decided}
    found.update(("tool", tool) for tool in called)
    for event in trace:
        shown = _SHOWN.get((event.kind, event.name))
        if shown is not None:
            found.add((shown[0], str(event.facts[shown[1]])))
    return frozenset(found)
