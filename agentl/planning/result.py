"""PlanningResult: the sequence found, what it is worth, and what was ruled out on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentl.values import Label


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One call. `args` are the coerced values bound in the most probable branch in which it fires, `labels` theirs.

    `firing` is the probability that it is applicable when its turn comes; `cost` is that of one use, with approval and
    time; `duration` is in seconds; `approval` says that some branch needs a person's approval.
    """

    tool: str
    args: Mapping[str, Any]
    labels: Mapping[str, Label]
    firing: float
    cost: float
    duration: float
    approval: bool


@dataclass(frozen=True, slots=True)
class Excluded:
    """Why the search could not use a tool somewhere; each combination of tool, stage and rule once.

    Stages: `never` (the tool left the whole expansion), `policy_error` (likewise), `policy`, `contract`, `isolation`,
    `unbound` (a parameter has no value), `effect` (an effect has no value), `deadline`.
    """

    tool: str
    stage: str
    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class PlanningResult:
    """The result of `plan`; without `steps` nothing was found, or nothing is to be done.

    `probability` is that of all goals holding at the end, `cost` is expected, `duration` is the sum of all steps in
    seconds. `partial` says that the probability is below TARGET_CONFIDENCE. `satisfied`: the goals hold already, and
    there was no search. `exhausted`: a goal is unmet and no permitted sequence within the bounds reaches it.
    `cut_off`: MAX_DEPTH or MAX_NODES kept some state from being searched further. `nodes` counts the successors
    generated. `faults` are conditions that could not be evaluated, each with the reason: they count as false.
    """

    steps: tuple[PlannedStep, ...] = ()
    probability: float = 0.0
    cost: float = 0.0
    duration: float = 0.0
    utility: float = 0.0
    score: float = 0.0
    partial: bool = False
    satisfied: bool = False
    exhausted: bool = False
    cut_off: bool = False
    excluded: tuple[Excluded, ...] = ()
    nodes: int = 0
    faults: tuple[tuple[str, str], ...] = ()
