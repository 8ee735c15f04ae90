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
    """Puts a copy of each message into the inboxes of those it is for, at once (semantics.md §24).

    An inbox that holds `capacity` messages (None: any number) refuses another one: traced, and counted in `dropped`.
    """

    def __init__(self, members: Sequence[Member], trace: Trace, capacity: int | None = None) -> None:
        self._members = members
        self._trace = trace
        self._capacity = capacity
        self.round = 0
        self.dropped = 0
        self.sent: list[Envelope] = []

    def deliver(self, sender: str, post: Post) -> int:
        """Return the number of recipients: 0 for an agent nobody knows, which is traced as an ERROR."""
        addressed = self.recipients(sender, post)
        recipients = [member for member in addressed if self._has_room(member, sender, post)]
        for member in recipients:
            member.machine.state.deliver(post.message, sender, post.payload)
        names = tuple(member.agent.name for member in recipients)
        self.sent.append(Envelope(self.round, sender, post.message, post.payload, names))
        if post.to is not None and not addressed:
            self._log("ERROR", "unknown_recipient", sender=sender, message=post.message, to=post.to)
        else:
            self._log("MESSAGE", "carried", sender=sender, message=post.message, to=list(names), payload=post.payload)
        return len(recipients)

    def recipients(self, sender: str, post: Post) -> list[Member]:
        """Whom a message is for, whether or not there is room for it."""
        if post.broadcast or post.to is None:
            return [member for member in self._members if member.agent.name != sender]
        wanted = post.to.lower()
        return [member for member in self._members if member.agent.name.lower() == wanted]

    def _has_room(self, member: Member, sender: str, post: Post) -> bool:
        if self._capacity is None or len(member.machine.state.inbox) < self._capacity:
            return True
        self.dropped += 1
        self._log("ERROR", "inbox_full", sender=sender, message=post.message, to=member.agent.name)
        return False

    def _log(self, kind: str, name: str, **facts: Any) -> None:
        self._trace.add(TraceEvent(self.round, kind, name, facts, SOCIETY))
