"""Derived: the settling of a run that is only derived again, up to the action that stands without result."""

from __future__ import annotations

from typing import Any, NoReturn

from agentl.durable.choices import Choice, Launch, Retry
from agentl.journal.actions import Action
from agentl.kernel.errors import KernelAbort


class Reached(KernelAbort):
    """The derivation has come to the action without result; `arguments` are those it would be called with."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        super().__init__("the action without result")
        self.arguments = arguments


class Derived:
    """Lets no launch happen: it raises Reached where one would begin."""

    def choose(self, action: Action) -> Choice:
        return Retry()

    def reserve(self, launch: Launch, action_id: str, attempt: int) -> NoReturn:
        raise Reached(launch.args)

    def receipt(self, action_id: str, attempt: int) -> NoReturn:
        raise AssertionError("nothing was launched")

    def outside(self) -> int:
        """No time counts."""
        return 0
