"""What handlers are asked and what they are taken to have answered: the border between the engine and the launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agentl.hosting.manifest import Binding


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


@dataclass(frozen=True, slots=True)
class EarlierAttempt:
    """An attempt the package may wait for: when it was launched (UTC, ms) and how long it had."""

    call_id: str
    started_at: int
    deadline_ms: int


class Caller(Protocol):
    """Launches handlers. Problems are raised; what a handler answers is returned."""

    @property
    def sandbox_mode(self) -> str:
        """`enforced` or `declared`."""

    def digest(self, binding: Binding) -> str:
        """The digest of what would be launched now."""

    def granted(self, binding: Binding) -> Sequence[str]:
        """The grants as they hold here: paths resolved."""

    def prepare(self, binding: Binding, call: ToolCall) -> None:
        """Everything that can refuse before a reservation; starts nothing. Problem."""

    def launch(self, binding: Binding, call: ToolCall) -> Launched:
        """Launch the handler of an attempt and judge its answer."""

    def reconcile(self, binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> Launched:
        """Ask the package about an effect. Applied or Withheld: it took place; NotApplied: not, and it will not."""

    def kill(self, call_id: str) -> bool:
        """Kill the handler of a call under way here: its outcome is then unknown. False: there is none."""

    def clear(self, call_id: str) -> bool:
        """Kill what is left of an attempt; False when something of it still lives after two seconds."""

    def in_flight(self, call_id: str) -> bool:
        """Whether something of an attempt lives."""
