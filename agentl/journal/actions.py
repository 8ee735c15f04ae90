"""What a journal says about each action: pending, in doubt, or settled. Pure; fed one entry after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentl.journal.entries import RawEntry
from agentl.journal.kinds import RESULTS
from agentl.journal.reading import fields_of

IN_DOUBT = "ActionInDoubt"


@dataclass(frozen=True, slots=True)
class Resolution:
    """One settling of one action. `how` is retry, reconciled, not_executed or in_doubt; `fields` all that was noted."""

    seq: int
    tool: str
    action_id: str
    how: str
    attempt: int | None
    fields: dict[str, Any]


@dataclass(slots=True)
class Action:
    """An intent and what is known of it. `fields` are those of the intent."""

    seq: int
    tool: str
    agent: str
    branch: str
    at: int
    fields: dict[str, Any]
    resolutions: list[Resolution] = field(default_factory=list)

    @property
    def action_id(self) -> str:
        return str(self.fields["action_id"])

    @property
    def key(self) -> str:
        return str(self.fields["key"])

    @property
    def digest(self) -> str:
        return str(self.fields["hash"])

    @property
    def kind(self) -> str:
        return str(self.fields["kind"])

    @property
    def promise(self) -> str:
        return str(self.fields.get("promise", "none"))

    @property
    def attempt(self) -> int:
        """The number of the last call that was announced: 1 for the intent's own (durable.md §8)."""
        return max((r.attempt for r in self.resolutions if r.attempt is not None), default=1)

    @property
    def last_launch(self) -> tuple[str, float]:
        """Boot id and boot clock (seconds) of the last call that was announced (decision 5)."""
        fields = self.fields
        for resolution in self.resolutions:
            if resolution.how in ("retry", "not_executed"):
                fields = resolution.fields
        return str(fields.get("boot_id", "")), float(fields.get("boot_clock", 0.0))


class ActionLedger:
    """Actions that have no result yet (`pending`) or none that is known (`doubts`), in the order of their intents.

    Settled actions are forgotten, so that a long run needs no memory for them; resolutions are kept.
    """

    def __init__(self) -> None:
        self.resolutions: list[Resolution] = []
        self._pending: dict[str, Action] = {}  # by branch: within one, only the last intent can wait for its result
        self._doubts: dict[str, Action] = {}  # by action id

    @property
    def pending(self) -> list[Action]:
        return sorted(self._pending.values(), key=lambda action: action.seq)

    @property
    def doubts(self) -> list[Action]:
        return list(self._doubts.values())

    def pending_in(self, branch: str) -> Action | None:
        """The action of a branch whose result is missing."""
        return self._pending.get(branch)

    def doubt(self, tool: str, digest: str) -> Action | None:
        """The first action of this tool and digest that is in doubt (the latch of decision 2)."""
        return next((a for a in self._doubts.values() if a.tool == tool and a.digest == digest), None)

    def feed(self, entry: RawEntry) -> None:
        """Take the next entry of the journal, served or appended."""
        kind = entry["kind"]
        if kind == "intent":
            branch = entry.get("branch", "")
            self._pending[branch] = Action(
                entry["seq"], entry["key"], entry.get("agent", ""), branch, entry.get("at", 0), fields_of(entry)
            )
        elif kind in RESULTS:
            self._result(entry)
        elif kind == "resolution":
            self._resolution(entry)
        elif kind == "settle":
            self._doubts.pop(str(fields_of(entry).get("action_id", "")), None)

    def _result(self, entry: RawEntry) -> None:
        action = self._pending.pop(entry.get("branch", ""), None)
        if action is None:
            return
        if "error" in entry and entry["error"][0] == IN_DOUBT:
            self._doubts[action.action_id] = action
        else:
            self._doubts.pop(str(action.fields.get("retry_of", "")), None)

    def _resolution(self, entry: RawEntry) -> None:
        fields = fields_of(entry)
        made = Resolution(
            entry["seq"],
            entry["key"],
            str(fields.get("action_id", "")),
            str(fields.get("how", "")),
            fields.get("attempt"),
            fields,
        )
        self.resolutions.append(made)
        for action in (*self._pending.values(), *self._doubts.values()):
            if action.action_id == made.action_id:
                action.resolutions.append(made)
        # A later answer about an action in doubt: done and known, or going out again with the first key.
        if made.how == "reconciled":
            self._doubts.pop(made.action_id, None)
