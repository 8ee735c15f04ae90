"""Choices: what may become of an action without result, and who says so (operations-contract.md §5, `Settling`).

A run settles by itself unless its context has a `Settling`; then nothing is retried, reconciled or declared in doubt
without a request, and what an attempt takes and took is noted with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from agentl.journal.actions import Action
from agentl.kernel.errors import KernelAbort


@dataclass(frozen=True, slots=True)
class Retry:
    """Launch the action again, under its own key."""


@dataclass(frozen=True, slots=True)
class Restore:
    """The action took place and its result is known: no launch."""

    value: Any


@dataclass(frozen=True, slots=True)
class Refuse:
    """Nothing may be done about the action now; `code` says why."""

    code: str


Choice = Retry | Restore | Refuse


class Launch(Protocol):
    """What is launched: read by a Settling."""

    @property
    def tool(self) -> str: ...

    @property
    def args(self) -> dict[str, Any]: ...


class Settling(Protocol):
    """Decides what may become of an action without result, and says what each attempt takes and took."""

    def choose(self, action: Action) -> Choice:
        """What may be done about an action that an earlier process left without result."""

    def reserve(self, launch: Launch, action_id: str, attempt: int) -> Mapping[str, object]:
        """Return the `usage` of the intent or retry that announces an attempt. Raises a KernelAbort to forbid it."""

    def receipt(self, action_id: str, attempt: int) -> Mapping[str, object]:
        """Return the `usage` of the entry that ends an attempt."""


class Unsettled(KernelAbort):
    """The run stops at an action of which nobody may say now how it ended. `wire` is the code of a Refuse, or "".

    `cause` says what made the outcome unknown in this process.
    """

    def __init__(self, action_id: str, code: str = "", cause: str = "") -> None:
        super().__init__(f"{action_id} has no result")
        self.action_id = action_id
        self.wire = code
        self.cause = cause
