"""One tool of a server as a function: takes the INPUT names, returns the OUTPUT names (tooling.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentl.hosting.loading import HostError
from agentl.hosting.mcp.catalogue import Catalogue, ServerTool, parameter_name
from agentl.hosting.mcp.http_failure import recorded
from agentl.hosting.mcp.pin import changes, pin_of
from agentl.hosting.mcp.values import Unsendable, as_json, outputs_of
from agentl.hosting.outcomes import NotApplied
from agentl.kernel.dispatch import ActionContext, current_action
from agentl.messages import mcp as messages

if TYPE_CHECKING:
    from agentl.hosting.mcp.connection import Offer, ServerConnection

KEY_META = "agentl/idempotency-key"  # in `_meta` of every call, for servers that know it


class RemoteTool:
    """Called as a function, or `awaited`."""

    def __init__(self, catalogue: Catalogue, tool: ServerTool, connection: ServerConnection) -> None:
        self._catalogue = catalogue
        self._tool = tool
        self._connection = connection
        self._their_names = {parameter_name(name): name for name in tool.inputs}

    def __call__(self, **arguments: Any) -> dict[str, Any]:
        """Make the call. NotApplied when nothing was sent; else as `ServerConnection.called` says."""
        return self._connection.run(self._made(self._sendable(arguments), current_action()))

    async def awaited(self, **arguments: Any) -> dict[str, Any]:
        """As a call, for an asynchronous host."""
        return await self._connection.awaited(self._made(self._sendable(arguments), current_action()))

    async def _made(self, sent: Mapping[str, Any], action: ActionContext | None) -> dict[str, Any]:
        offer = await self._offer()
        meta = {} if action is None else {KEY_META: action.idempotency_key}
        result = await self._connection.called(offer, self._tool.name, sent, meta)
        return outputs_of(self._tool, result.structured_content, result.content)

    def _sendable(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        sent = {}
        for name, value in arguments.items():
            try:
                sent[self._their_names.get(name, name)] = as_json(value)
            except Unsendable as error:
                raise NotApplied(messages.NOT_SENDABLE.text("en", name=name, reason=str(error))) from None
        return sent

    async def _offer(self) -> Offer:
        """What the server offers now, if it is what was imported."""
        # The texts are recorded as the outcome of the action, so always in English.
        server = self._catalogue.server
        try:
            offer = await self._connection.listed()
        except HostError as error:
            reason = recorded(error.diagnostics[0])
            raise NotApplied(messages.NOT_REACHED.text("en", server=server, reason=reason)) from error
        found = offer.catalogue
        if found.digest != self._catalogue.digest:
            changed = changes(pin_of(self._catalogue), found)
            facts = {"server": server, "found": found.digest, "changes": changed}
            raise NotApplied(messages.CHANGED_MEANWHILE.text("en", **facts))
        return offer
