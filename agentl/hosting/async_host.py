"""AsyncHost: a host whose functions may be sync or async, reached by coroutines (host-api.md §10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.hosting.awaiting import awaited
from agentl.hosting.host import NO_ANSWER
from agentl.hosting.options import options_of
from agentl.hosting.outcomes import PENDING
from agentl.hosting.registry import Registry
from agentl.hosting.secrets import resolve
from agentl.kernel.approval import approval_granted
from agentl.kernel.dispatch import ActionContext, require_permit
from agentl.kernel.request import ShownRequest


class AsyncHost(Registry):
    """As Host, to be driven by AsyncRuntime or AsyncSociety. A sync function runs in a thread, under the same permit.

    Functions that supply secrets are sync. `emit` is sync and may be called from any thread.
    """

    async def read(self, path: str) -> Any:
        """Return the reading of a sensor; None when there is none. Raises whatever the sensor raises."""
        sensor = self.sensors.get(path)
        return None if sensor is None else await awaited(sensor)

    async def invoke(self, name: str, args: Mapping[str, Any]) -> Any:
        """Call a tool under the active permit for exactly this call.

        KeyError for a tool that is not registered, PermitError without the permit, NotApplied when a secret cannot be
        supplied, and whatever the tool raises.
        """
        function = self.tools[name]
        require_permit("invoke", name, args)
        filled = await awaited(resolve, self, name, args) if options_of(self, name).secret else dict(args)
        return await awaited(function, **filled)

    async def delegate(self, name: str, payload: Mapping[str, Any]) -> Any:
        """Call a sub-agent under the active permit for exactly this payload; KeyError when there is none."""
        # The entry itself: what `subagents[name]` gives demands the permit again.
        function = dict.__getitem__(self.subagents, name)
        require_permit("delegate", name, payload)
        return await awaited(function, dict(payload))

    async def reconcile(self, name: str, args: dict[str, Any], context: ActionContext) -> Any:
        """Ask the reconciler of a tool; LookupError when there is none. It gets handles, not secrets."""
        reconciler = self.reconcilers.get(name)
        if reconciler is None:
            raise LookupError(name)
        return await awaited(reconciler, args, context)

    async def ask(self, question: str, reason: str = "") -> Any:
        """Ask a person; the symbol `no_answer` when there is no asker."""
        return NO_ANSWER if self.asker is None else await awaited(self.asker, question, reason)

    async def approve(self, request: ShownRequest) -> Any:
        """Return whether the approver grants, by the words of policy.md §5; PENDING if it does; False without one."""
        if self.approver is None:
            return False
        answer = await awaited(self.approver, request)
        return PENDING if answer is PENDING else approval_granted(answer)

    async def drain(self) -> list[dict[str, Any]]:
        """Return the events emitted so far and clear them, in one step."""
        return self.take_events()
