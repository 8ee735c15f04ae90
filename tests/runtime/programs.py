"""Reading short programs for tests of the runtime."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from agentl.ir.program import Agent
from agentl.runtime.machine import Machine
from agentl.syntax.parser import parse_source
from tests.runtime.world import World

CYCLE = "OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN EXECUTE VERIFY UPDATE_MEMORY"


@cache
def agent(body: str) -> Agent:
    """The agent `A` with this body."""
    return parse_source(f"AGENT A {{\n{body}\n}}").agents[0]


def play(body: str, ticks: int | None = 1, *, options: dict[str, Any] | None = None, **world: Any) -> Played:
    """Run the agent with this body in a fresh World and return what there is to look at."""
    made = World(**world)
    return Played(made.run(agent(body), ticks, **(options or {})), made)


@dataclass(frozen=True)
class Played:
    """A machine that has run, and its world."""

    machine: Machine
    world: World

    def __getitem__(self, path: str) -> Any:
        return self.machine.state.get(path)

    def label(self, path: str) -> set[str]:
        return set(self.machine.state.label(path))

    def lines(self, *kinds: str) -> list[str]:
        """`KIND text (detail)` of the events of these kinds, or of all."""
        events = self.machine.trace.of_kind(*kinds) if kinds else self.machine.trace.events
        return [event.render().split("] ", 1)[1] for event in events]

    def names(self, *kinds: str) -> list[str]:
        return [event.name for event in self.machine.trace.of_kind(*kinds)]

    def counted(self) -> dict[str, int]:
        """The metrics that are not zero, without ticks."""
        return {name: count for name, count in self.machine.metrics.items() if count and name != "ticks"}
