"""Inference: what was found of one hypothesis, with everything needed to say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from agentl.logic.truth import Truth
from agentl.values import Label


class Contribution(NamedTuple):
    """One evidence item. `outcome` is None when the test is undetermined; then `ratio` is 1 and `bits` 0.

    `counted` are the bits that entered the sum. `absorbed_by` is the index, among the contributions, of the item of the
    same group that counted in place of this one.
    """

    text: str
    group: str | None
    outcome: Truth
    ratio: float
    bits: float
    counted: float
    absorbed_by: int | None


@dataclass(frozen=True, slots=True)
class Explained:
    """The belief that a supported hypothesis with EXPLAINS brings; its confidence is the posterior."""

    path: str
    value: Any
    label: Label


@dataclass(frozen=True, slots=True)
class Inference:
    """The result of `infer`.

    `prior` is the measured or declared one, not clamped. `bits` is the shift used, `capped` says that MAX_EVIDENCE
    shortened it. `naive` is the posterior without groups and cap. `reachable` is the lowest and highest posterior that
    this prior can come to. `explained` is None unless supported with EXPLAINS. `faults` are the expressions that could
    not be evaluated, each with the reason: they count as false, and are to be traced.
    """

    name: str
    prior: float
    posterior: float
    threshold: float
    supported: bool
    bits: float
    capped: bool
    contributions: tuple[Contribution, ...]
    naive: float
    reachable: tuple[float, float]
    label: Label
    explained: Explained | None = None
    faults: tuple[tuple[str, str], ...] = ()

    def published(self) -> dict[str, Any]:
        """What the inference publishes in the world: five facts, under `<h>.` and under `hypothesis.<h>.`."""
        facts = {
            "prior": self.prior,
            "posterior": self.posterior,
            "supported": self.supported,
            "bits": self.bits,
            "capped": self.capped,
        }
        return {
            f"{place}.{fact}": value
            for place in (self.name, f"hypothesis.{self.name}")
            for fact, value in facts.items()
        }


def best(inferences: Sequence[Inference]) -> Inference | None:
    """The one with the highest posterior, the first on a tie; None of none (`hypotheses.best`)."""
    return max(inferences, key=lambda found: found.posterior, default=None)
