"""World: what a scenario poses and what the declared effects of tools have made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentl.logic.scope import Belief
from agentl.runtime.observing import EFFECT_SOURCE
from agentl.runtime.state import State
from agentl.scenarios.answers import Answers
from agentl.values import UNDEFINED

SOURCE = "scenario"  # of a belief that a scenario replaces


class World:
    """The only outside there is. Sensors read it; the state of the agent gets what is posed and what effects change."""

    def __init__(self, given: Mapping[str, Any], answers: Answers, believed: frozenset[str]) -> None:
        self.given = dict(given)
        self.effects: dict[str, Any] = {}
        self.answers = answers
        self._believed = believed
        self._unwritten: list[tuple[str, Mapping[str, Any]]] = []
        self._given_way: set[str] = set()

    def reading(self, path: str) -> Any:
        """What a sensor reads: the last effect, else what was posed, else UNDEFINED (the sensor is silent)."""
        return self.effects.get(path, self.given.get(path, UNDEFINED))

    def place(self, state: State) -> None:
        """Put everything that is posed into the state (routing at tick 0, scenario.md §3)."""
        for path, value in self.given.items():
            self._route(state, path, value)

    def change(self, tool: str, effects: Mapping[str, Any]) -> None:
        """Effects of a call have taken place: they hold in the world from now on, in the state from `settle` on."""
        self.effects.update(effects)
        self._unwritten.append((tool, effects))

    def settle(self, state: State) -> None:
        """Write the effects of calls that are over into the state.

        WHY not in the call: the agent evaluates EFFECT once more, over the state as it was, to believe it. What it
        believes of a call is left as it is.
        """
        for tool, effects in self._unwritten:
            for path, value in effects.items():
                belief = state.beliefs.get(path)
                if belief is None or path not in self._believed or belief.source != f"{EFFECT_SOURCE}{tool}":
                    self._route(state, path, value)
        self._unwritten.clear()

    def asked(self, state: State, owner: str) -> None:
        """A tool or sub-agent was called, or was to be called: what is posed for it stands in the state no more."""
        self.give_way(state, self.answers.of_owner(owner))

    def give_way(self, state: State, paths: Iterable[str]) -> None:
        """A double is asked for these: what is posed for them stands in the state no more.

        Only the first time: what stands there later is the result of a call, and a refusal leaves that as it is.
        """
        for path in self.answers.among(paths):
            if path not in self._given_way:
                self._given_way.add(path)
                state.remove_world(path)

    def _route(self, state: State, path: str, value: Any) -> None:
        """A declared belief is replaced, whatever else it is; every other path is a fact of the world."""
        label = self.answers.label(path)
        if path in self._believed:
            state.set_belief(path, Belief(value, 1.0, SOURCE, state.tick), label)
        else:
            state.set_world(path, value, label)
