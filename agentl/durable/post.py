"""PostOffice: messages between the agents of a society, in process only and never journaled (durable.md §11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentl.durable.member import Member
from agentl.runtime.requests import Post
from agentl.runtime.trace import Trace, TraceEvent

SOCIETY = "society"  # the agent's name under which the society's own events are traced


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message that was sent: to whom it went, and in which round."""

    round: int
    sender: str
    message: str
    payload: Mapping[str, Any]
    recipients: tuple[str, ...]


class PostOffice:
    """Puts a copy of each message into the inboxes of those it is for, at once (semantics.md §24)."""

    def __init__(self, members: Sequence[Member], trace: Trace) -> None:
        self._members = members
        self._trace = trace
        self.round = 0
        self.sent: list[Envelope] = []

    def deliver(self, sender: str, post: Post) -> int:
        """Return the number of recipients: 0 for an agent nobody knows, which is traced as an ERROR."""
        recipients = self._recipients(sender, post)
        for member in recipients:
            member.machine.state.deliver(post.message, sender, post.payload)
        names = tuple(member.agent.name for member in recipients)
        self.sent.append(Envelope(self.round, sender, post.message, post.payload, names))
        if post.to is not None and not recipients:
            self._log("ERROR", "unknown_recipient", sender=sender, message=post.message, to=post.to)
        else:
            self._log("MESSAGE", "carried", sender=sender, message=post.message, to=list(names), payload=post.payload)
        return len(recipients)

    def _recipients(self, sender: str, post: Post) -> list[Member]:
        if post.broadcast or post.to is None:
            return [member for member in self._members if member.agent.name != sender]
        wanted = post.to.lower()
        return [member for member in self._members if member.agent.name.lower() == wanted]

    def _log(self, kind: str, name: str, **facts: Any) -> None:
        self._trace.add(TraceEvent(self.round, kind, name, facts, SOCIETY))
