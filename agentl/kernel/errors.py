"""The errors of the kernel. What derives from KernelAbort is never swallowed, by no boundary."""

from __future__ import annotations

from agentl.diagnostics import AgentLError, Diagnostic


class KernelAbort(AgentLError):
    """Ends the run: a permit violation, a divergence, a storage failure, a cancellation."""


class PermitError(KernelAbort):
    """Something tried to act without the permit for it (policy.md §9)."""


class Cancelled(KernelAbort):
    """The run was told to stop."""


class ActionInDoubt(AgentLError):
    """It cannot be known whether the action took place: an ordinary tool failure for the loop (semantics.md §11.5)."""

    def __init__(self, *parts: Diagnostic | str, action_id: str = "", tool: str = "") -> None:
        super().__init__(*parts)
        self.action_id = action_id
        self.tool = tool
