"""What the road asks of the outside, as data, and how that ended. Sync and async drivers perform the same requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from agentl.hosting.classification import Ending
from agentl.kernel.dispatch import ActionContext
from agentl.kernel.permit import ExecutionPermit
from agentl.kernel.request import ShownRequest


@dataclass(frozen=True, slots=True)
class ReadSensor:
    path: str


@dataclass(frozen=True, slots=True)
class DrainEvents:
    """Take the waiting events of the host's queue."""


@dataclass(frozen=True, slots=True)
class AskOperator:
    """`timeout_s` None: as long as it takes."""

    question: str
    reason: str
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class AskApprover:
    request: ShownRequest


@dataclass(frozen=True, slots=True)
class InvokeTool:
    """The one call of a tool, under its permit. `timeout_s` None: without limit."""

    permit: ExecutionPermit
    attempt: int
    timeout_s: float | None

    @property
    def follows_intent(self) -> bool:
        """Whether its intent was flushed the moment before: the owner of the journal was checked with it."""
        return self.attempt == 1


@dataclass(frozen=True, slots=True)
class AskReconciler:
    tool: str
    args: dict[str, Any]
    context: ActionContext


@dataclass(frozen=True, slots=True)
class AskModel:
    """`kind` is the method of the model; `wanted` its schema, its questions or the candidates."""

    kind: Literal["reason", "judge", "select_plan"]
    task: str
    context: dict[str, Any]
    wanted: Any


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The value of a Returned from AskModel. `missing`: fields the adapter names as unanswered; None: it names none.

    `usage` is what the adapter reports of tokens and cost.
    """

    value: Any
    missing: tuple[str, ...] | None = None
    usage: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class FindSubagent:
    """Whether the host has a sub-agent of this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait, visibly and interruptibly. `why` names the action waited for."""

    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class GoLive:
    """Nothing outside. A branch of a PARALLEL has used up its record and waits for its turn to go on (decision 18)."""


Wanted = (
    ReadSensor
    | DrainEvents
    | AskOperator
    | AskApprover
    | InvokeTool
    | AskReconciler
    | AskModel
    | FindSubagent
    | Pause
    | GoLive
)


@dataclass(frozen=True, slots=True)
class Returned:
    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as class name and text; `ending` is how a call that raised it ended (decision 3).

    `usage`: what a model that raised says it had used before.
    """

    class_name: str
    text: str
    ending: Ending = "failed"
    usage: dict[str, Any] | None = None


class UnderWay(Protocol):
    """A call that goes on, in whatever way it was made."""

    @property
    def ended(self) -> bool:
        """Whether the tool has returned or raised."""

    def outcome(self) -> Any:
        """Return what it returned or raise what it raised."""


@dataclass(frozen=True, slots=True)
class StillUnderWay:
    """The time limit of a tool came before its answer (decision 8)."""

    call: UnderWay
    limit_s: float


Outcome = Returned | Raised | StillUnderWay
