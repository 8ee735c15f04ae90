"""Line: the journal as one branch of a run sees it (decision 18): its own cursor, the common chain."""

from __future__ import annotations

from collections.abc import Mapping

from agentl.journal.actions import Action
from agentl.journal.machine import JournalMachine, Served


class Line:
    """The methods of JournalMachine that stand at a place, for one branch; "" is the main line."""

    __slots__ = ("_machine", "branch")

    def __init__(self, machine: JournalMachine, branch: str = "") -> None:
        self._machine = machine
        self.branch = branch

    @property
    def at_end(self) -> bool:
        """True when what this branch asks now is live."""
        return self._machine.at_end(self.branch)

    def peek(self) -> Served | None:
        return self._machine.peek(self.branch)

    def crossing(self, kind: str, key: str, args: Mapping[str, object] | None = None) -> Served | None:
        return self._machine.crossing(kind, key, args, self.branch)

    def annotation(self, kind: str, key: str) -> Served | None:
        return self._machine.annotation(kind, key, self.branch)

    def optional_annotation(self, kind: str, key: str | None = None) -> Served | None:
        return self._machine.optional_annotation(kind, key, self.branch)

    def intent(self, target: str, *, action_id: str, digest: str) -> Served | None:
        return self._machine.intent(target, action_id=action_id, digest=digest, branch=self.branch)

    def pending(self) -> Action | None:
        """The action of this branch whose result is missing."""
        return self._machine.actions.pending_in(self.branch)

    def owner_changed_since(self, seq: int) -> bool:
        return self._machine.owner_changed_since(seq, self.branch)
