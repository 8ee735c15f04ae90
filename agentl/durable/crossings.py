"""What the road asks of the outside, as data, and how that ended. Sync and async drivers perform the same requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agentl.hosting.calling import Call
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
    question: str
    reason: str


@dataclass(frozen=True, slots=True)
class AskApprover:
    request: ShownRequest


@dataclass(frozen=True, slots=True)
class InvokeTool:
    """The one call of a tool, under its permit. `timeout_s` None: without limit."""

    permit: ExecutionPermit
    attempt: int
    timeout_s: float | None


@dataclass(frozen=True, slots=True)
class AskReconciler:
    tool: str
    args: dict[str, Any]
    context: ActionContext


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait, visibly and interruptibly. `why` names the action waited for."""

    seconds: float
    why: str


Wanted = ReadSensor | DrainEvents | AskOperator | AskApprover | InvokeTool | AskReconciler | Pause


@dataclass(frozen=True, slots=True)
class Returned:
    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as class name and text; `ending` is how a call that raised it ended (decision 3)."""

    class_name: str
    text: str
    ending: Ending = "failed"


@dataclass(frozen=True, slots=True)
class StillUnderWay:
    """The time limit of a tool came before its answer (decision 8)."""

    call: Call[Any]
    limit_s: float


Outcome = Returned | Raised | StillUnderWay
