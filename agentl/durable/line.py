"""Line: the journal as one branch of a run sees it (decision 18): its own cursor, the common chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agentl.journal.actions import Action, ActionLedger
from agentl.journal.machine import JournalMachine, Served


class Line:
    """The methods of JournalMachine that stand at a place, for one branch; "" is the main line."""

    __slots__ = ("_above", "_machine", "branch")

    def __init__(self, machine: JournalMachine, branch: str = "", above: Line | None = None) -> None:
        self._machine = machine
        self._above = above
        self.branch = branch

    def below(self, branch: str) -> Line:
        """The line of a branch that begins here."""
        return Line(self._machine, branch, self)

    @property
    def at_end(self) -> bool:
        """True when what this branch asks now is live: nothing is left to serve, nor on the line it comes back to."""
        return self._machine.at_end(self.branch) and (self._above is None or self._above.at_end)

    @property
    def actions(self) -> ActionLedger:
        """What this branch knows of actions in doubt."""
        return self._machine.actions_of(self.branch)

    def fork(self, branches: Sequence[str], *, apart: bool) -> None:
        """Branches begin. `apart`: they run at the same time, and none knows of the others' doubts."""
        for branch in branches:
            self._machine.open_branch(branch, self.branch, apart=apart)

    def join(self, branches: Sequence[str]) -> None:
        """Branches have ended, in the order of the program: what they came to know is known here."""
        self._machine.join_branches(self.branch, branches)

    def peek(self) -> Served | None:
        return self._machine.peek(self.branch)

    def crossing(self, kind: str, key: str, args: Mapping[str, object] | None = None) -> Served | None:
        return self._machine.crossing(kind, key, args, self.branch)

    def annotation(self, kind: str, key: str) -> Served | None:
        return self._machine.annotation(kind, key, self.branch)

    def optional_annotation(self, kind: str, key: str | None = None) -> Served | None:
        return self._machine.optional_annotation(kind, key, self.branch)

    def words(self) -> bool:
        """Pass what was said about the run from outside while it stood here: requests and verdicts. True when any."""
        passed = False
        while self.optional_annotation("control") is not None or self.optional_annotation("settle") is not None:
            passed = True
        return passed

    def intent(self, target: str, *, action_id: str, digest: str) -> Served | None:
        return self._machine.intent(target, action_id=action_id, digest=digest, branch=self.branch)

    def pending(self) -> Action | None:
        """The action of this branch whose result is missing."""
        return self.actions.pending_in(self.branch)

    def owner_changed_since(self, seq: int) -> bool:
        return self._machine.owner_changed_since(seq, self.branch)
