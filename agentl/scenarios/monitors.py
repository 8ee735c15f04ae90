"""Monitors: the expectations of a scenario, watched at every point of a run (scenario.md §6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agentl.ir.expressions import Expression
from agentl.logic.compile import compile_kleene
from agentl.logic.regime import Test
from agentl.logic.render import render_expression
from agentl.logic.scope import Scope
from agentl.runtime.state import State

Kind = Literal["invariant", "eventuality"]


@dataclass(slots=True)
class Monitor:
    """One expectation. `at` is the tick in which an eventuality first held, or an invariant first did not."""

    expression: Expression
    test: Test
    kind: Kind
    at: int | None = None

    @property
    def text(self) -> str:
        return render_expression(self.expression)

    @property
    def is_met(self) -> bool:
        """As things stand: an eventuality was true once, an invariant at every point so far."""
        return (self.at is None) == (self.kind == "invariant")


class Monitors:
    """Made at tick 0: what holds then is an invariant, everything else has to come true once.

    Three-valued: only what is known to be true holds. `state_names` are bare names that are paths, not symbols.
    """

    def __init__(self, expected: Sequence[Expression], state: State, state_names: frozenset[str]) -> None:
        self._state = state
        self.all: list[Monitor] = []
        for expression in expected:
            test = compile_kleene(expression, policy=True, state_names=state_names)
            kind: Kind = "invariant" if test(state) is True else "eventuality"
            self.all.append(Monitor(expression, test, kind))

    def look(self, scope: Scope | None = None) -> None:
        """Evaluate what is still open, in the live state or in `scope`, which lies over it."""
        seen = self._state if scope is None else scope
        for monitor in self.all:
            if monitor.at is None and (monitor.test(seen) is True) == (monitor.kind == "eventuality"):
                monitor.at = self._state.tick

    @property
    def has_invariants(self) -> bool:
        return any(monitor.kind == "invariant" for monitor in self.all)

    @property
    def are_met(self) -> bool:
        return all(monitor.is_met for monitor in self.all)
