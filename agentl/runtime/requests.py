"""Requests: what the machine asks of the world. It never touches it (design §1); a driver answers with data.

`Read` is answered by Value or Failure; `Drain` by Value (a list of {source, payload}) or Failure; `Ask` by Value or
Failure; `Act` by Done, Failure, Refused or Doubt (see answers.py). `TickDone` ends a tick and needs no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from agentl.values import Label


@dataclass(frozen=True, slots=True)
class Read:
    """Read the sensor of `path`. None, UNDEFINED or a Failure is silence (semantics.md §10)."""

    path: str


@dataclass(frozen=True, slots=True)
class Drain:
    """Take all events that wait in the host's queue, in emission order."""


@dataclass(frozen=True, slots=True)
class Act:
    """One governed action. Its arguments are evaluated, but not yet coerced, checked or decided upon.

    `labels` holds the label of each argument under its name, and the label of the decision under "$control".
    `breaker_open` says that the driver has to refuse the action (stage "breaker") after policy and before approval.
    `node` is the JSON pointer of the statement in the agent; "" for a call made by the host's own code.
    """

    kind: Literal["invoke", "delegate"]
    tool: str
    args: dict[str, Any]
    labels: dict[str, Label]
    origin: str = "plan"
    confidence: Any = 1.0
    breaker_open: bool = False
    node: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """Put a question to the operator. `who` and `escalation` only tell people whom and why."""

    question: str
    reason: str = ""
    who: str = ""
    escalation: bool = False


@dataclass(frozen=True, slots=True)
class TickDone:
    """A tick (or a single phase, or one call) is complete; no frame is left.

    `state_digest` is the running digest of the state after it (decision 23), `trace_digest` that of the trace.
    """

    tick: int
    state_digest: str
    trace_digest: str


Request = Read | Drain | Act | Ask
