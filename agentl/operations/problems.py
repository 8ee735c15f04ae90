"""Problem: why an operation, or a request about one, goes no further (operations-contract.md §4, errors)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.diagnostics import AgentLError, Diagnostic
from agentl.kernel.errors import KernelAbort
from agentl.messages.operations import WIRE

_WRONG_REQUEST = frozenset({"NotFound", "TargetUnknown", "InvalidRequest", "ContractUnsupported"})


class Problem(AgentLError):
    """A refusal. `wire` is the code a client reads, `details` what it is told; nothing has been written.

    Exit code 2 for a request about nothing that is there, 3 for a refusal (decision 31).
    """

    def __init__(self, wire: str, details: Mapping[str, Any] | None = None, **said: object) -> None:
        self.wire = wire
        self.details = dict(details or {})
        super().__init__(Diagnostic(WIRE[wire], {**self.details, **said}))

    @property
    def exit_code(self) -> int:
        return 2 if self.wire in _WRONG_REQUEST else 3

    @property
    def text(self) -> str:
        """One English sentence, as data holds it."""
        return self.diagnostics[0].text("en")

    def to_data(self) -> dict[str, Any]:
        """`{code, message, details}` as it stands in a projection."""
        return {"code": self.wire, "message": self.text, "details": self.details}


class Halted(KernelAbort):
    """The drive of an operation stops here, with `problem`. Raised through the run, never seen by the program."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class NotLaunched(Halted):
    """A check right before the launch refused: nothing was started, for certain (operations-contract.md §5, W3x)."""


class Forbidden(Halted):
    """The call may not be made: nothing was reserved and nothing is unknown."""
