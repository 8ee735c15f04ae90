"""What a journal says about each action: pending, in doubt, or settled. Pure; fed one entry after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentl.journal.entries import RawEntry
from agentl.journal.kinds import LAUNCHES, RESULTS
from agentl.journal.reading import fields_of

IN_DOUBT = "ActionInDoubt"
NOT_STORABLE = "ResultNotStorable"


@dataclass(frozen=True, slots=True)
class Resolution:
    """One settling of one action. `how` is retry, reconciled, not_executed or in_doubt; `fields` all that was noted."""

    seq: int
    tool: str
    action_id: str
    how: str
    attempt: int | None
    fields: dict[str, Any]

    @property
    def reason(self) -> str:
        """Why nothing better was to be had, "" where none was noted."""
        return str(self.fields.get("reason", ""))


@dataclass(slots=True)
class Action:
    """An intent and what is known of it.

    `launched` are the fields that announced the last call under its key, whichever action made it; None: the intent's.
    """

    intent: RawEntry
    resolutions: list[Resolution] = field(default_factory=list)
    launched: dict[str, Any] | None = None
    _fields: dict[str, Any] | None = None

    @property
    def seq(self) -> int:
        return int(self.intent["seq"])

    @property
    def tool(self) -> str:
        return str(self.intent["key"])

    @property
    def agent(self) -> str:
        return str(self.intent.get("agent", ""))

    @property
    def branch(self) -> str:
        return str(self.intent.get("branch", ""))

    @property
    def at(self) -> int:
        return int(self.intent.get("at", 0))

    @property
    def fields(self) -> dict[str, Any]:
        """Those of the intent. Decoded when first asked for: of nearly all actions nobody ever asks. Raises Damage."""
        if self._fields is None:
            self._fields = fields_of(self.intent)
        return self._fields

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
    def retry_of(self) -> str:
        """The id of the earlier action whose key it carries, "" for its own (decision 3)."""
        return str(self.fields.get("retry_of", ""))

    @property
    def attempt(self) -> int:
        """The number of the last call that was announced: 1 for the intent's own (durable.md §8)."""
        return max((r.attempt for r in self.resolutions if r.attempt is not None), default=1)

    def copied(self) -> Action:
        """A copy that learns for itself."""
        return replace(self, resolutions=list(self.resolutions))

    def learn(self, other: Action, before: Action) -> None:
        """Take over what `other`, a copy that began as `before`, has learned."""
        self.resolutions.extend(other.resolutions[len(before.resolutions) :])
        if other.launched is not before.launched and _clock(other) >= _clock(self):
            self.launched = other.launched

    @property
    def was_queued(self) -> bool:
        """Whether the last call had to wait for a place: when it was launched is then not known."""
        fields = self.fields if self.launched is None else self.launched
        return bool(fields.get("queued"))

    @property
    def last_launch(self) -> tuple[str, float]:
        """Boot id and boot clock (seconds) of the last call that was announced under its key (decision 5)."""
        fields = self.fields if self.launched is None else self.launched
        return str(fields.get("boot_id", "")), float(fields.get("boot_clock", 0.0))


class ActionLedger:
    """Actions that have no result yet (`pending`) or none that is known (`doubts`), in the order of their intents.

    Settled actions are forgotten, so that a long run needs no memory for them; resolutions are kept.
    """

    def __init__(self) -> None:
        self._resolutions: list[Resolution] = []
        self._pending: dict[str, Action] = {}  # by branch: within one, only the last intent can wait for its result
        self._doubts: dict[str, Action] = {}  # by action id
        self._unanswered: dict[str, Action] = {}  # a call without answer, then one under the same key that failed
        self._before: tuple[dict[str, Action], dict[str, Action]] = ({}, {})  # doubts and unanswered when it was forked

    def forked(self) -> ActionLedger:
        """A ledger that begins with what this one knows and learns for itself; pending and resolutions are common."""
        made = ActionLedger()
        made._resolutions, made._pending = self._resolutions, self._pending
        copies = {id(action): action.copied() for kept in (self._doubts, self._unanswered) for action in kept.values()}
        made._doubts, made._unanswered = (
            {action_id: copies[id(action)] for action_id, action in kept.items()}
            for kept in (self._doubts, self._unanswered)
        )
        made._before = (
            {action_id: action.copied() for action_id, action in made._doubts.items()},
            {action_id: action.copied() for action_id, action in made._unanswered.items()},
        )
        return made

    def merge(self, forks: Sequence[ActionLedger]) -> None:
        """Take over what ledgers forked from this one have learned since, in their order."""
        for fork in forks:
            for own, kept, before in zip(
                (self._doubts, self._unanswered), (fork._doubts, fork._unanswered), fork._before, strict=True
            ):
                for action_id in before.keys() - kept.keys():
                    own.pop(action_id, None)
                for action_id, action in kept.items():
                    if action_id not in before:
                        own[action_id] = action
                    elif action_id in own:
                        own[action_id].learn(action, before[action_id])

    def is_common(self, action: Action) -> bool:
        """Whether ledgers forked together with this one know of the action too: it must not be taken up twice."""
        return action.action_id in self._before[0]

    @property
    def resolutions(self) -> list[Resolution]:
        """Every settling, in the order of the journal, in whatever order branches were derived again."""
        return sorted(self._resolutions, key=lambda made: made.seq)

    def share_doubts(self, other: ActionLedger) -> None:
        """Know of the doubts of another journal as of one's own, and let it know: for runs that act on one world."""
        self._doubts, self._unanswered = other._doubts, other._unanswered

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
        return next(iter(self.doubts_of(tool, digest)), None)

    def doubts_of(self, tool: str, digest: str) -> list[Action]:
        """All actions of this tool and digest that are in doubt, the first one first."""
        return [a for a in self._doubts.values() if a.tool == tool and a.digest == digest]

    def unanswered(self, tool: str, digest: str) -> Action | None:
        """The action of this tool and digest of which one call had no answer and a repeated one failed.

        The failure says nothing about the call before: its key stays in use (decision 3).
        """
        return next((a for a in self._unanswered.values() if a.tool == tool and a.digest == digest), None)

    def first_of(self, action: Action) -> Action:
        """The action whose key this one carries, itself when the key is its own."""
        while (before := self._doubts.get(action.retry_of) or self._unanswered.get(action.retry_of)) is not None:
            action = before
        return action

    def feed(self, entry: RawEntry) -> None:
        """Take the next entry of the journal, served or appended."""
        kind = entry["kind"]
        if kind == "intent":
            self._intent(entry)
        elif kind in RESULTS:
            self._result(entry)
        elif kind == "resolution":
            self._resolution(entry)
        elif kind == "settle":
            self._doubts.pop(str(fields_of(entry).get("action_id", "")), None)

    def _intent(self, entry: RawEntry) -> None:
        made = self._pending[entry.get("branch", "")] = Action(entry)
        first = self._first_of(made)
        if first is not None:
            self._launch(first, made.fields)

    def _first_of(self, later: Action) -> Action | None:
        """The action without known end whose key a later one carries."""
        if not self._doubts and not self._unanswered:
            return None
        return self._doubts.get(later.retry_of) or self._unanswered.get(later.retry_of)

    def _launch(self, action: Action, fields: dict[str, Any]) -> None:
        action.launched = fields
        first = self._first_of(action)
        if first is not None:
            self._launch(first, fields)

    def _result(self, entry: RawEntry) -> None:
        action = self._pending.pop(entry.get("branch", ""), None)
        if action is None:
            return
        error = entry["error"][0] if "error" in entry else None
        if error == IN_DOUBT:
            self._doubts[action.action_id] = action
        elif error in (None, NOT_STORABLE):
            self._answered(action)
        elif any(made.how == "retry" for made in action.resolutions):
            self._unanswered[action.action_id] = action

    def _answered(self, later: Action) -> None:
        """A call under an earlier action's key was done: that settles the earlier one if the key may be repeated, or if
        it was known by then that nothing had happened. Without either both may have."""
        first = self._first_of(later)
        if first is None:
            return
        earlier = [a for a in (*self._doubts.values(), *self._unanswered.values()) if a.key == first.key]
        if any(a.promise in ("idempotent", "both") or _not_executed(a) for a in earlier):
            self._forget(first.key)

    def _forget(self, key: str) -> None:
        for kept in (self._doubts, self._unanswered):
            for action_id in [action_id for action_id, action in kept.items() if action.key == key]:
                del kept[action_id]

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
        self._resolutions.append(made)
        for action in (*self._pending.values(), *self._doubts.values()):
            if action.action_id == made.action_id:
                action.resolutions.append(made)
                if made.how in LAUNCHES:
                    self._launch(action, fields)
        # A later answer about an action in doubt: done and known, or going out again with the first key.
        if made.how == "reconciled" and made.action_id in self._doubts:
            self._forget(self._doubts[made.action_id].key)


def _clock(action: Action) -> tuple[int, float]:
    """What tells the later of two launches: the wall clock, also across boots, then the finer one."""
    fields = action.fields if action.launched is None else action.launched
    return int(fields.get("at", 0)), action.last_launch[1]


def _not_executed(action: Action) -> bool:
    return bool(action.resolutions) and action.resolutions[-1].how == "not_executed"
