"""The journal machine: "here is the next crossing": serve it, or say that it is live, or that it differs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agentl.journal.actions import Action, ActionLedger
from agentl.journal.chain import EMPTY_HEAD, body_of, chain_step, line_of
from agentl.journal.entries import RawEntry
from agentl.journal.errors import ReplayDivergence
from agentl.journal.kinds import COMPARED, FREE, KINDS
from agentl.journal.reading import decoded, fields_of
from agentl.messages import durable as say
from agentl.messages.message import Message
from agentl.values import canonical_json, encode

# What may still be written once the run has ended: a person's word on a doubt, and what came too late.
AFTER_END = frozenset({"settle", "late"})


class RecordedError(NamedTuple):
    """An error as it was recorded: the name of its class and its text."""

    class_name: str
    text: str


@dataclass(frozen=True, slots=True)
class Served:
    """An entry of the journal, given as the answer. Values are decoded anew at every reading."""

    entry: RawEntry

    @property
    def seq(self) -> int:
        return int(self.entry["seq"])

    @property
    def key(self) -> str:
        return str(self.entry["key"])

    @property
    def value(self) -> Any:
        return decoded(self.entry, "value")

    @property
    def error(self) -> RecordedError | None:
        error = self.entry.get("error")
        return RecordedError(error[0], error[1]) if error is not None else None

    @property
    def args(self) -> dict[str, Any] | None:
        return decoded(self.entry, "args") if "args" in self.entry else None

    @property
    def usage(self) -> dict[str, Any] | None:
        """What a model reported of tokens and cost."""
        return decoded(self.entry, "usage") if "usage" in self.entry else None

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an annotation."""
        return fields_of(self.entry)


class JournalMachine:
    """A cursor over the entries read at opening, and the chain that grows behind them.

    `latest_ms` is the latest wall time any entry notes: where the clock stands before it, it has been set back.

    Every branch has a cursor of its own (decision 18); the main line is branch "". The entries must have been
    verified (`reading.read_entries`).
    """

    def __init__(self, prefix: Iterable[RawEntry] = ()) -> None:
        self._entries = list(prefix)
        self._places: dict[str, list[int]] = {}
        self._cursors: dict[str, int] = {}
        self._left = 0
        self._end: RawEntry | None = None
        self._generation = 0
        self._owners: list[int] = []
        self.latest_ms = 0
        self.actions = ActionLedger()
        self._ledgers: dict[str, ActionLedger] = {}  # of branches under way; the main line's is `actions`
        for index, entry in enumerate(self._entries):
            self._note(entry)
            if entry["kind"] not in FREE:
                self._places.setdefault(entry.get("branch", ""), []).append(index)
                self._left += 1
        self._next_seq = len(self._entries)
        self._last_hash = str(self._entries[-1]["h"]) if self._entries else ""

    # --- the chain

    @property
    def next_seq(self) -> int:
        """The number the next appended entry gets."""
        return self._next_seq

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self._last_hash or EMPTY_HEAD

    @property
    def generation(self) -> int:
        """The generation of the last owner; 0 when there was none."""
        return self._generation

    @property
    def opening(self) -> dict[str, Any] | None:
        """The fields of `open`; None for a journal without it."""
        if self._entries and self._entries[0]["kind"] == "open":
            return fields_of(self._entries[0])
        return None

    @property
    def terminal(self) -> dict[str, Any] | None:
        """The fields of `end`; None while the run has not ended."""
        return fields_of(self._end) if self._end is not None else None

    @property
    def is_finished(self) -> bool:
        return self._end is not None

    def seal(self, body: Mapping[str, Any]) -> tuple[RawEntry, bytes]:
        """Give an entry its number and hash, and return it with its stored line. Nothing changes before `commit`.

        ReplayDivergence when entries are still to be served, in whatever branch, or when the run has ended.
        """
        return self._seal(body, self._next_seq, self._last_hash)

    def seal_batch(self, bodies: Iterable[Mapping[str, Any]]) -> list[tuple[RawEntry, bytes]]:
        """Seal several entries that follow each other and are written at once."""
        sealed: list[tuple[RawEntry, bytes]] = []
        seq, previous = self._next_seq, self._last_hash
        for body in bodies:
            sealed.append(self._seal(body, seq, previous))
            seq, previous = seq + 1, sealed[-1][0]["h"]
        return sealed

    def _seal(self, body: Mapping[str, Any], seq: int, previous: str) -> tuple[RawEntry, bytes]:
        kind = body["kind"]
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of entry")
        if kind not in FREE:
            self.check_live(_named(kind, body["key"]))
        if self._end is not None and kind not in AFTER_END:
            raise self._divergence(say.BEYOND_END, None, _named(kind, body["key"]))
        entry = {**body, "seq": seq}
        data = body_of(entry)
        entry["h"] = chain_step(previous, data)
        return entry, line_of(data, entry["h"])

    def commit(self, entry: RawEntry) -> None:
        """Take a sealed entry as written."""
        if entry["seq"] != self._next_seq:
            raise ValueError(f"entry {entry['seq']} does not follow {self._next_seq - 1}")
        self._next_seq += 1
        self._last_hash = entry["h"]
        self._note(entry)
        if entry["kind"] not in FREE:
            self.actions_of(entry.get("branch", "")).feed(entry)

    def _note(self, entry: RawEntry) -> None:
        at = entry.get("at", 0)
        if at > self.latest_ms:
            self.latest_ms = at
        if entry["kind"] == "end":
            self._end = entry
        elif entry["kind"] == "owner":
            self._generation = int(fields_of(entry).get("generation", 0))
            self._owners.append(int(entry["seq"]))

    # --- what is known of actions

    def actions_of(self, branch: str) -> ActionLedger:
        """What a branch knows of actions: that of the main line unless it runs apart."""
        return self._ledgers.get(branch, self.actions)

    def open_branch(self, branch: str, above: str, *, apart: bool) -> None:
        """A branch begins: `apart` with a copy of what is known above it, else with that itself."""
        known = self.actions_of(above)
        self._ledgers[branch] = known.forked() if apart else known

    def join_branches(self, above: str, branches: Iterable[str]) -> None:
        """Branches have ended: what those that ran apart came to know is known above, in this order."""
        known = self.actions_of(above)
        known.merge([ledger for branch in branches if (ledger := self._ledgers.pop(branch)) is not known])

    def pending_intents(self) -> list[Action]:
        """Actions the cursor has passed, or that were appended, and that have no result."""
        return self.actions.pending

    # --- the cursor

    def check_live(self, requested: str) -> None:
        """ReplayDivergence while anything is still to be served, in any branch."""
        if self._left:
            standing = next(standing for branch in self._places if (standing := self.peek(branch)) is not None)
            raise self._divergence(say.STILL_IN_PREFIX, standing, requested)

    def pass_all(self) -> None:
        """Pass everything recorded without deriving it again: for who only adds a word to a run at rest."""
        for branch, places in self._places.items():
            for index in places[self._cursors.get(branch, 0) :]:
                self.actions_of(branch).feed(self._entries[index])
            self._cursors[branch] = len(places)
        self._left = 0

    @property
    def remaining(self) -> int:
        """How many entries are still to be served, in all branches."""
        return self._left

    @property
    def served(self) -> int:
        """How many entries the journal held at opening."""
        return len(self._entries)

    def at_end(self, branch: str = "") -> bool:
        """True when the branch has nothing left to serve: what it asks now is live."""
        return self._cursors.get(branch, 0) >= len(self._places.get(branch, ()))

    def peek(self, branch: str = "") -> Served | None:
        """The entry that stands next in a branch, without taking it."""
        places = self._places.get(branch, ())
        cursor = self._cursors.get(branch, 0)
        return Served(self._entries[places[cursor]]) if cursor < len(places) else None

    def crossing(
        self, kind: str, key: str, args: Mapping[str, object] | None = None, branch: str = ""
    ) -> Served | None:
        """Serve a crossing, or return None when it is live.

        Kind and key must be those recorded, and for invoke, delegate, ask and approve the arguments too, compared as
        values: symbol and text differ, the order of a dict does not matter. ReplayDivergence otherwise, and for a
        run that has ended.
        """
        standing = self._standing(kind, key, branch)
        if standing is None:
            return None
        if kind in COMPARED and not _same_arguments(standing.entry.get("args"), args):
            raise self._divergence(
                say.DIVERGED, standing, _with_arguments(kind, key, None if args is None else encode(dict(args)))
            )
        return self._take(standing, branch)

    def annotation(self, kind: str, key: str, branch: str = "") -> Served | None:
        """Take an annotation that must stand here, or return None when the branch is live. ReplayDivergence."""
        standing = self._standing(kind, key, branch)
        return self._take(standing, branch) if standing is not None else None

    def optional_annotation(self, kind: str, key: str | None = None, branch: str = "") -> Served | None:
        """Take an annotation if it stands here: a resolution, recheck, lapse or settle. None otherwise."""
        standing = self.peek(branch)
        if standing is None or standing.entry["kind"] != kind or (key is not None and standing.key != key):
            return None
        return self._take(standing, branch)

    def intent(self, target: str, *, action_id: str, digest: str, branch: str = "") -> Served | None:
        """Take the intent of an action derived again: same id and same digest, else ReplayDivergence."""
        standing = self._standing("intent", target, branch)
        if standing is None:
            return None
        fields = standing.fields
        if fields.get("action_id") != action_id or fields.get("hash") != digest:
            requested = f"intent {target} ({action_id}, {digest[:16]})"
            raise self._divergence(say.DIVERGED, standing, requested)
        return self._take(standing, branch)

    def checkpoint(self, tick: int, *, state: str, trace: str) -> Served | None:
        """Take the checkpoint of a tick: same digests, else ReplayDivergence naming state or trace."""
        standing = self._standing("checkpoint", str(tick), "")
        if standing is None:
            return None
        fields = standing.fields
        for name, derived in (("state", state), ("trace", trace)):
            if fields.get(name) != derived:
                raise self._divergence(say.DIVERGED, standing, f"checkpoint {tick} ({name} {derived[:16]})")
        return self._take(standing, "")

    def check_consumed(self) -> None:
        """At the end of a run: ReplayDivergence when entries were never asked for."""
        for branch in self._places:
            standing = self.peek(branch)
            if standing is not None:
                error = ReplayDivergence.of(
                    say.LEFT_OVER, seq=standing.seq, recorded=_described(standing.entry), count=self._left - 1
                )
                error.seq = standing.seq
                raise error

    def owner_changed_since(self, seq: int, branch: str = "") -> bool:
        """True when another process took over between entry `seq` and the place the cursor stands at."""
        standing = self.peek(branch)
        here = self._next_seq if standing is None else standing.seq
        return any(seq < owner < here for owner in self._owners)

    def _standing(self, kind: str, key: str, branch: str) -> Served | None:
        standing = self.peek(branch)
        if standing is None:
            if self._end is not None:
                raise self._divergence(say.BEYOND_END, None, _named(kind, key))
            return None
        if standing.entry["kind"] != kind or standing.key != key:
            raise self._divergence(say.DIVERGED, standing, _named(kind, key))
        return standing

    def _take(self, standing: Served, branch: str) -> Served:
        self._cursors[branch] = self._cursors.get(branch, 0) + 1
        self._left -= 1
        self.actions_of(branch).feed(standing.entry)
        return standing

    def _divergence(self, message: Message, standing: Served | None, requested: str) -> ReplayDivergence:
        seq = standing.seq if standing is not None else self._next_seq
        recorded = _described(standing.entry) if standing is not None else "-"
        error = ReplayDivergence.of(message, seq=seq, recorded=recorded, requested=requested)
        error.seq = seq
        return error


def comparable(data: Any) -> str:
    """Canonical text of encoded data in which the order of dicts and sets does not count."""
    return canonical_json(_sorted(data))


def _sorted(data: Any) -> Any:
    if isinstance(data, dict):
        made = {name: _sorted(item) for name, item in data.items()}
        if "$dict" in made or "$set" in made:
            tag = "$dict" if "$dict" in made else "$set"
            made[tag] = sorted(made[tag], key=canonical_json)
        return made
    if isinstance(data, list):
        return [_sorted(item) for item in data]
    return data


def _same_arguments(recorded: Any, args: Mapping[str, object] | None) -> bool:
    if args is None:
        return recorded is None
    return recorded is not None and comparable(recorded) == comparable(encode(dict(args)))


def _named(kind: str, key: str) -> str:
    return f"{kind} {key}".rstrip()


def _described(entry: RawEntry) -> str:
    if entry["kind"] == "intent":
        fields = fields_of(entry)
        return f"intent {entry['key']} ({fields.get('action_id')}, {str(fields.get('hash'))[:16]})"
    return _with_arguments(entry["kind"], entry["key"], entry.get("args"))


def _with_arguments(kind: str, key: str, args: Any) -> str:
    if args is None or kind not in COMPARED:
        return _named(kind, key)
    text = comparable(args)
    return f"{_named(kind, key)} {text if len(text) <= 200 else text[:199] + '…'}"
