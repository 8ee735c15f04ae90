"""What a stored run is, without touching it: one answer for status, verify, list and resume (case P-B5)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from agentl.journal.actions import Action, ActionLedger, Resolution
from agentl.journal.chain import EMPTY_HEAD
from agentl.journal.entries import RawEntry
from agentl.journal.errors import Damage, DurableError, StorageFailure, UnknownFormat
from agentl.journal.kinds import CROSSINGS, FOREIGN_FORMATS, FORMAT, LAUNCHES, STANDSTILL
from agentl.journal.reading import Reading, fields_of, read_entries
from agentl.journal.stores.contract import Holder, Store, StoredRun
from agentl.messages import durable as say

if TYPE_CHECKING:
    from agentl.journal.plain import Journal


class State(StrEnum):
    """What became of a run."""

    ABSENT = "absent"  # nothing is there
    NOT_ADMITTED = "not admitted"  # begun, but its owner never was on disk: nothing was done
    RUNNING = "running"  # a process drives it, or one was interrupted
    TORN = "torn"  # the same, and bytes nobody relied on follow the last good entry
    ENDED = "ended"
    DAMAGED = "damaged"
    UNREADABLE = "unreadable"  # of a format or with kinds this release does not know, or the storage gives nothing back


@dataclass(slots=True)
class Inspection:
    """All that the bytes of a run say. `error` is set when the state is DAMAGED or UNREADABLE.

    `counts` has every kind; people are shown `crossings`. `doubts` are actions in doubt nobody has settled. `attempts`
    is how many processes have taken the run over since it last got any further: more than one have failed at one place.
    """

    state: State
    path: str
    reading: Reading = field(default_factory=Reading)
    meta: dict[str, Any] | None = None
    error: DurableError | None = None
    opening: dict[str, Any] | None = None
    terminal: dict[str, Any] | None = None
    owner: Holder | None = None
    attempts: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    pending: list[Action] = field(default_factory=list)
    doubts: list[Action] = field(default_factory=list)
    resolutions: list[Resolution] = field(default_factory=list)

    @property
    def entries(self) -> list[RawEntry]:
        return self.reading.entries

    @property
    def head(self) -> str:
        return self.reading.last_hash or EMPTY_HEAD

    @property
    def run_id(self) -> str:
        return str((self.opening or {}).get("run_id", ""))

    @property
    def status(self) -> str:
        """The terminal status ("completed", "ended, in doubt"), else "running", else the state."""
        if self.terminal is not None:
            return str(self.terminal.get("status", ""))
        return "running" if self.state is State.TORN else str(self.state)

    @property
    def crossings(self) -> int:
        return sum(count for kind, count in self.counts.items() if kind in CROSSINGS)


def inspect(store: Store) -> Inspection:
    """Look at a run without lock and without change.

    Damage, unknown formats and a storage that cannot be read are told in it, not raised: one bad run hides no other.
    """
    meta = None
    try:
        stored = store.load()
        meta = stored.meta
        return inspect_run(stored, store.path)
    except DurableError as error:
        state = State.UNREADABLE if isinstance(error, UnknownFormat | StorageFailure) else State.DAMAGED
        return Inspection(state, store.path, meta=meta, error=error)


def inspect_run(stored: StoredRun, path: str) -> Inspection:
    """The same for what was loaded, raising Damage and UnknownFormat: the reader of those who go on from it."""
    _check_foreign(stored)
    if not stored.exists:
        return Inspection(State.ABSENT, path)
    reading = read_entries(stored.data, stored.head, tearable=stored.tearable)
    made = Inspection(State.RUNNING, path, reading, stored.meta)
    if reading.entries:
        _check_opening(reading.entries[0], stored.meta)
        made.opening = fields_of(reading.entries[0])
    _walk(made)
    _check_meta(made)
    if made.owner is None:
        made.state = State.NOT_ADMITTED
    elif made.terminal is not None:
        made.state = State.ENDED
    elif reading.torn:
        made.state = State.TORN
    return made


def _check_meta(made: Inspection) -> None:
    """The copy for people is written once the owner is on disk: where it stands, the run has begun."""
    meta = made.meta or {}
    if made.owner is None and "run_id" in meta:
        raise Damage.of(say.SHORTER_THAN_META, seq=len(made.entries), status=meta.get("status", "?"))


def _check_foreign(stored: StoredRun) -> None:
    recorded = (stored.meta or {}).get("format")
    if recorded in FOREIGN_FORMATS:
        raise UnknownFormat.of(say.FOREIGN_FORMAT, format=recorded)


def _check_opening(entry: RawEntry, meta: dict[str, Any] | None) -> None:
    if entry["kind"] != "open":
        raise Damage.of(say.NO_OPENING, kind=entry["kind"])
    fields = fields_of(entry)
    if fields.get("format") != FORMAT:
        raise UnknownFormat.of(
            say.UNKNOWN_FORMAT, format=fields.get("format"), known=FORMAT, release=fields.get("release", "?")
        )


def _walk(made: Inspection) -> None:
    counts: Counter[str] = Counter()
    ledger = ActionLedger()
    owner: RawEntry | None = None
    for entry in made.entries:
        kind = entry["kind"]
        counts[kind] += 1
        ledger.feed(entry)
        if kind == "intent":
            fields_of(entry)  # Damage in it is told here, not to whoever asks for an action later
        elif kind == "owner":
            owner = entry
            made.attempts += 1
        elif kind == "end":
            made.terminal = fields_of(entry)
        if _leads_on(entry):
            made.attempts = 0
    made.counts = dict(counts)
    made.pending, made.doubts, made.resolutions = ledger.pending, ledger.doubts, ledger.resolutions
    made.owner = None if owner is None else holder_of(owner)


def resolutions_of(journal: Inspection | Journal) -> list[dict[str, Any]]:
    """How actions without result were settled, in order: `tool`, `action_id`, `how`, and `attempt` where it has one."""
    settled = [entry for entry in journal.entries if entry["kind"] == "resolution"]
    return [{"tool": entry["key"], **fields_of(entry)} for entry in settled]


def _leads_on(entry: RawEntry) -> bool:
    """Whether the run got further by this entry; a further attempt at the same place is none."""
    if entry["kind"] == "resolution":
        return fields_of(entry).get("how") not in LAUNCHES
    return entry["kind"] not in STANDSTILL


def holder_of(entry: RawEntry) -> Holder:
    """The owner an `owner` entry names."""
    fields = fields_of(entry)
    return Holder(
        str(fields.get("host", "")),
        str(fields.get("boot_id", "")),
        int(fields.get("pid", 0)),
        int(fields.get("start", 0)),
        int(fields.get("generation", 0)),
    )
