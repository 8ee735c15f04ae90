"""What a handler is asked, and what it is taken to have answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One launch of one handler."""

    tool: str
    input: dict[str, Any]
    operation_id: str
    effect_id: str
    call_id: str
    attempt: int


@dataclass(frozen=True, slots=True)
class EarlierAttempt:
    """An attempt the package may wait for: when it was launched (UTC, ms) and how long it had."""

    call_id: str
    started_at: int
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class Applied:
    """The effect took place; `output` may be stored."""

    output: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Withheld:
    """The effect took place, and its output was refused: it is stored nowhere."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class NotApplied:
    """The handler says that nothing happened."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody can tell from the answer whether the effect took place."""

    text: str


Judged = Applied | Withheld | NotApplied | Unknown


@dataclass(frozen=True, slots=True)
class Launched:
    """How a launch ended, and how long it took in milliseconds, rounded up."""

    answer: Judged
    elapsed_ms: int
