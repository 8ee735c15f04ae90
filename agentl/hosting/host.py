"""Host: the Python side of a program, its sensors, tools, sub-agents, people and events (host-api.md §2)."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import iscoroutine
from typing import Any

from agentl.hosting.outcomes import PENDING
from agentl.hosting.registry import Registry
from agentl.hosting.secrets import resolve
from agentl.kernel.approval import approval_granted
from agentl.kernel.dispatch import ActionContext, require_permit
from agentl.kernel.request import ShownRequest
from agentl.values import Symbol

NO_ANSWER = Symbol("no_answer")


class Host(Registry):
    """What a program may perceive and do.

    Functions may be called from worker threads when a tool has a time limit, and in branches of a PARALLEL that run at
    the same time (see `one_at_a_time`). People are asked one question at a time.
    """

    def drain(self) -> list[dict[str, Any]]:
        """Return the events emitted so far and clear them, in one step."""
        return self.take_events()

    def read(self, path: str) -> Any:
        """Return the reading of a sensor; None when there is none. Raises whatever the sensor raises."""
        sensor = self.sensors.get(path)
        return None if sensor is None else sensor()

    def invoke(self, name: str, args: Mapping[str, Any]) -> Any:
        """Call a tool under the active permit for exactly this call.

        KeyError for a tool that is not registered, PermitError without the permit, NotApplied when a secret cannot be
        supplied, and whatever the tool raises.
        """
        function = self.tools[name]
        require_permit("invoke", name, args)
        return function(**resolve(self, name, args))

    def reconcile(self, name: str, args: dict[str, Any], context: ActionContext) -> Any:
        """Ask the reconciler of a tool; LookupError when there is none. It gets handles, not secrets."""
        reconciler = self.reconcilers.get(name)
        if reconciler is None:
            raise LookupError(name)
        return reconciler(args, context)

    def ask(self, question: str, reason: str = "") -> Any:
        """Ask a person; the symbol `no_answer` when there is no asker."""
        return NO_ANSWER if self.asker is None else self.asker(question, reason)

    def approve(self, request: ShownRequest) -> Any:
        """Return whether the approver grants, by the words of policy.md §5; PENDING if it does; False without one.

        A coroutine is returned as it is: it is no answer yet, and whoever asks says so.
        """
        if self.approver is None:
            return False
        answer = self.approver(request)
        return answer if answer is PENDING or iscoroutine(answer) else approval_granted(answer)
