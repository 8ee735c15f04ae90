"""Answers: what a driver says to a request. Data only; nothing is ever thrown into the machine (decision 11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Value:
    """What a sensor, the event queue or the operator gave. Host values may be `Labelled` (host-api §2.2)."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """The crossing raised: class name and message only. For an Act, `args` are the arguments as coerced."""

    error_class: str
    text: str
    args: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The action was not let through; the host was not called for it.

    `stage` is one of: contract, isolation, policy_error, policy, in_doubt, breaker, recheck, approval.
    `rule` is the text of the rule that spoke, or None; `text` says why.
    """

    stage: str
    rule: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """Whether the action happened cannot be known (semantics.md §11.5)."""

    text: str
    args: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """The host returned. `value` is what it gave (it may be `Labelled`, whole or key by key), not yet checked."""

    value: Any
    args: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Absent:
    """The host has no sub-agent of this name; nothing was called."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered to Reason. `missing`: the fields its adapter named as unanswered; None if it named none."""

    value: Any
    missing: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """All branches of a PARALLEL have ended."""


Answer = Value | Failure | Refused | Doubt | Done | Absent | Reply | Joined
