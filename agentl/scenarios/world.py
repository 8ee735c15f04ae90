"""World: what a scenario poses and what the declared effects of tools have made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentl.logic.scope import Belief
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

    def reading(self, path: str) -> Any:
        """What a sensor reads: the last effect, else what was posed, else UNDEFINED (the sensor is silent)."""
        return self.effects.get(path, self.given.get(path, UNDEFINED))

    def place(self, state: State) -> None:
        """Put everything that is posed into the state (routing at tick 0, scenario.md §3)."""
        for path, value in self.given.items():
            self._route(state, path, value)

    def change(self, state: State, effects: Mapping[str, Any]) -> None:
        """Effects have taken place: they hold in the world and are written into the state."""
        self.effects.update(effects)
        for path, value in effects.items():
            self._route(state, path, value)

    def give_way(self, state: State, paths: Iterable[str]) -> None:
        """A double is asked for these: what is posed for them stands in the state no more."""
        for path in self.answers.among(paths):
            state.remove_world(path)

    def _route(self, state: State, path: str, value: Any) -> None:
        """A declared belief is replaced, whatever else it is; every other path is a fact of the world."""
        label = self.answers.label(path)
        if path in self._believed:
            state.set_belief(path, Belief(value, 1.0, SOURCE, state.tick), label)
        else:
            state.set_world(path, value, label)
