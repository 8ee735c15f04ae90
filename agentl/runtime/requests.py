"""Requests: what the machine asks of the world. It never touches it (design §1); a driver answers with data.

`Read` is answered by Value or Failure; `Drain` by Value (a list of {source, payload}) or Failure; `Ask` by Value or
Failure; `Act` by Done, Failure, Refused or Doubt, of kind "delegate" also by Absent; `Reason` by Reply or Failure;
`Judge` and `SelectPlan` by Value or Failure; `Post` by Value; `Parallel` by Joined (see answers.py). `TickDone` ends a
tick and needs no answer. What goes to a model is complete and already redacted: a driver passes it on as it is
(semantics.md §22).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


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
    """Put a question to the operator. `who` and `escalation` only tell people whom and why.

    `timeout` is how many seconds the program waits for a person (TIMEOUT); None is without limit.
    """

    question: str
    reason: str = ""
    who: str = ""
    escalation: bool = False
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Let the model fill the fields of `schema` (field → schema text, semantics.md §14)."""

    task: str
    context: dict[str, Any]
    schema: dict[str, str]
    node: str = ""


@dataclass(frozen=True, slots=True)
class Judge:
    """Let the model answer `questions` (field → kind, instructions, criteria …, semantics.md §15).

    The answer's value is what the adapter gave. An adapter without `judge` is served through `reason`, with the field
    `schema` of each question as its schema text.
    """

    task: str
    context: dict[str, Any]
    questions: dict[str, dict[str, Any]]
    node: str = ""


@dataclass(frozen=True, slots=True)
class SelectPlan:
    """Let the model choose one of all declared plans, or none (None) (semantics.md §12)."""

    context: dict[str, Any]
    candidates: tuple[str, ...]
    node: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """Put a message into the inbox of agent `to` (whatever the case), or of all others with `broadcast`.

    Answered within the process by Value: the number of recipients, 0 outside a society (semantics.md §24).
    """

    message: str
    payload: dict[str, Any]
    to: str | None = None
    broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of PARALLEL: `machine` is driven like any other, from `step(None)` until its TickDone.

    `path`, such as `pay/0.b`, is the branch of its entries, permits and keys; sequences count from 1 in each.
    """

    path: str
    machine: Machine


@dataclass(frozen=True, slots=True)
class Parallel:
    """Drive every branch to its end, at most `limit` at once (None: all), in any order; then answer Joined."""

    branches: tuple[Branch, ...]
    limit: int | None = None
    node: str = ""


@dataclass(frozen=True, slots=True)
class TickDone:
    """A tick (or a single phase, one call, or a branch of PARALLEL) is complete; no frame is left.

    `state_digest` is the running digest of the state after it (decision 23), `trace_digest` that of the trace; both are
    "" for a branch: its changes count at the join.
    """

    tick: int
    state_digest: str
    trace_digest: str


Request = Read | Drain | Act | Ask | Reason | Judge | SelectPlan | Post | Parallel
