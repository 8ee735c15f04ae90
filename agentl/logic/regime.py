"""Regime: the five ways of reading one expression (semantics.md §4), and what each does with the unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from agentl.logic.scope import Scope
from agentl.logic.truth import Truth

Value = Callable[[Scope], Any]
Test = Callable[[Scope], Truth]


class Regime(Enum):
    ORDINARY = "ordinary"
    STRICT = "strict"  # VERIFY of AGENT-L 1.10
    EVIDENCE = "evidence"  # an unknown anywhere that is evaluated makes the whole test undetermined (§19)
    KLEENE = "kleene"  # policy guards of AGENT-L 1.10
    POLICY = "policy"  # KLEENE with the openings of decision 10 closed; VERIFY and scenario EXPECT too


@dataclass(frozen=True, slots=True)
class Reading:
    """How an expression is compiled.

    `permits` is set for the guard of an ALLOW: a bare word there must be affirmative (decision 10). `state_names` are
    bare names that are UNDEFINED, not symbols, while nothing defines them (semantics.md §26).
    """

    regime: Regime
    permits: bool = False
    state_names: frozenset[str] = frozenset()

    @property
    def asks_unknown(self) -> bool:
        """CONFIDENCE and P of something unknown raise Unknown, where ordinary evaluation says 0."""
        return self.regime in (Regime.EVIDENCE, Regime.KLEENE, Regime.POLICY)

    @property
    def notes(self) -> bool:
        """Whatever 1.10 notes while evaluating raises Unknown."""
        return self.regime is Regime.EVIDENCE

    @property
    def closed(self) -> bool:
        return self.regime is Regime.POLICY
