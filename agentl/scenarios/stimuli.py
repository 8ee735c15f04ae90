"""Stimuli: the events and messages that wait for the agent when it begins (scenario.md §7 step 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agentl.ir.declarations import Scenario, Stimulus
from agentl.ir.program import Agent
from agentl.messages import scenarios as messages
from agentl.scenarios.faults import Fault
from agentl.scenarios.given import Unposable, value_in


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event, or with a sender a message."""

    name: str
    payload: dict[str, Any]
    sender: str | None


def deliveries(agent: Agent, scenario: Scenario, world: Mapping[str, Any]) -> Iterator[Delivery]:
    """Every stimulus in order, its payload evaluated. Fault when a payload has no value or nobody waits for it."""
    handled = {
        "EVENT": {event.source for event in agent.events},
        "MESSAGE": {handler.message for handler in agent.messages},
    }
    for stimulus in scenario.stimuli:
        title = f"{stimulus.form} {stimulus.name}"
        if stimulus.name not in handled[stimulus.form]:
            handler = "EVENT" if stimulus.form == "EVENT" else "ON MESSAGE"
            raise Fault(messages.NO_HANDLER, stimulus=title, handler=handler)
        sender = stimulus.sender if stimulus.form == "MESSAGE" else None
        yield Delivery(stimulus.name, _payload(stimulus, title, world), sender)


def _payload(stimulus: Stimulus, title: str, world: Mapping[str, Any]) -> dict[str, Any]:
    """Evaluated over a copy of the world; a key sees the keys before it."""
    seen, payload = dict(world), {}
    for entry in stimulus.payload:
        try:
            payload[entry.path] = seen[entry.path] = value_in(entry.value, seen)
        except Unposable as problem:
            raise Fault(messages.BAD_STIMULUS, stimulus=title, key=entry.path, reason=problem.reason) from None
    return payload
