"""What can and cannot be swallowed."""

from __future__ import annotations

from agentl.diagnostics import AgentLError
from agentl.kernel.errors import ActionInDoubt, Cancelled, KernelAbort, PermitError


def test_permit_errors_and_cancellation_are_aborts() -> None:
    assert issubclass(PermitError, KernelAbort) and issubclass(Cancelled, KernelAbort)
    assert issubclass(KernelAbort, AgentLError)


def test_an_action_in_doubt_is_an_ordinary_failure_that_names_the_action() -> None:
    error = ActionInDoubt("no answer", action_id="r:A:t1:a1", tool="pay")
    assert (str(error), error.action_id, error.tool) == ("no answer", "r:A:t1:a1", "pay")
    assert isinstance(error, AgentLError) and not isinstance(error, KernelAbort)
    assert (ActionInDoubt("x").action_id, ActionInDoubt("x").tool) == ("", "")
