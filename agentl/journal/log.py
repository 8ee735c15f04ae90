"""Log: the journal machine with a store below it: what is appended is on disk when the barrier rule says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentl.journal.clocks import Clocks
from agentl.journal.entries import RawEntry
from agentl.journal.errors import OwnedElsewhere, StorageFailure
from agentl.journal.inspection import Inspection, State, inspect_run
from agentl.journal.kinds import CROSSINGS, HEADED, flushes
from agentl.journal.machine import JournalMachine
from agentl.journal.owner import check_other_host, owned_by, owner_entry, take_lock
from agentl.journal.reading import Head
from agentl.journal.stores.contract import Holder, Store, StoredRun
from agentl.messages import durable as say
from agentl.values import NotStorable, canonical_json

MAX_VALUE_BYTES = 1 << 20


class Log:
    """The journal of one run in one process.

    Made by `Log.open`, which takes the lock and reads but writes nothing, so that whatever the caller refuses leaves
    the run as it was. Then `start` (a new run) or `take` (a resume) makes this process the owner; only then is
    anything appended. After a StorageFailure or OwnedElsewhere nothing more is taken (decision 25).

    `max_value_bytes` is the limit of a value that came back, and of the arguments beside it (decision 14).
    """

    def __init__(
        self,
        store: Store,
        inspection: Inspection,
        clocks: Clocks,
        release: str,
        noted_before: Holder | None = None,
        generation: int = 0,
    ) -> None:
        self.store = store
        self.inspection = inspection
        self.clocks = clocks
        self.release = release
        self.machine = JournalMachine(inspection.entries)
        self.max_value_bytes = MAX_VALUE_BYTES
        self.torn_name = ""
        self._noted_before = noted_before
        self._holder: Holder | None = None
        self._is_due = False
        self._words: Sequence[RawEntry] = ()
        self._then: Callable[[], None] | None = None
        self._generation = generation
        self._closed = False
        self._failure: StorageFailure | OwnedElsewhere | None = None

    @classmethod
    def open(
        cls,
        store: Store,
        *,
        clocks: Clocks,
        release: str,
        take_over: int | None = None,
        looked: tuple[StoredRun, Inspection] | None = None,
        generation: int = 0,
    ) -> Log:
        """Lock a run and read it. OwnedElsewhere when another process owns it, Damage, UnknownFormat, StorageFailure.

        `take_over` is the generation of an owner on another machine that is certainly gone. `looked` is what was there
        before the lock and what it said: the same bytes are not gone through a second time. `generation` is that of the
        owner of what many runs are kept in; 0: the run counts its own owners.
        """
        before = take_lock(store, clocks)
        try:
            stored = store.load()
            inspection = looked[1] if looked is not None and looked[0] == stored else inspect_run(stored, store.path)
            if inspection.state not in (State.ABSENT, State.NOT_ADMITTED, State.ENDED):
                check_other_host(inspection.owner, before, clocks, take_over)
        except BaseException:
            _give_back(store, before)
            raise
        return cls(store, inspection, clocks, release, before, generation)

    @property
    def is_new(self) -> bool:
        """True when nothing was ever admitted here: `start` is to be called, not `take`."""
        return self.inspection.state in (State.ABSENT, State.NOT_ADMITTED)

    def start(self, opening: RawEntry, meta: Mapping[str, Any]) -> None:
        """Begin a new run: `open` and `owner` in one flushed write, then the head, then the copy for people."""
        if not self.is_new:
            raise ValueError("the store already holds a run")
        reading = self.inspection.reading
        # What an attempt that was never admitted left behind is no part of the new run.
        reading.torn, reading.end, reading.unfinished = reading.torn + reading.end, 0, False
        reading.entries.clear()
        self.machine = JournalMachine()
        self.torn_name = self.store.prepare(reading)
        self._own([opening])
        self.store.write_meta(meta)

    def admit(self, opening: RawEntry) -> None:
        """Write `open` alone, flushed: the run is accepted, and nobody drives it yet (operations-contract.md §2)."""
        if not self.is_new:
            raise ValueError("the store already holds a run")
        self.add(opening)

    def add(self, *words: RawEntry) -> list[RawEntry]:
        """Append what is said about a run at rest, flushed: nothing recorded is derived again, nobody drives it."""
        self.machine.pass_all()
        if self._holder is None:
            self.store.prepare(self.inspection.reading)
            self._holder = Holder(self.clocks.host, self.clocks.boot_id, self.clocks.pid, self.clocks.wall_ms())
        return self.append_many(words, flush=True)

    def take(self) -> None:
        """Become the owner of a run that was read: cut a torn tail, then append `owner`, flushed."""
        self.torn_name = self.store.prepare(self.inspection.reading)
        self._own([], self._words)
        if self._then is not None:
            self._then()

    def take_when_live(self, *words: RawEntry, then: Callable[[], None] | None = None) -> None:
        """Become the owner once everything recorded was derived again: a run that diverges is left as it was.

        `words` are written with `owner`: the request by which the run goes on. `then` is called when they are on disk.
        """
        self._words, self._then = words, then
        if self.machine.remaining:
            self._is_due = True
        else:
            self.take()

    def take_if_due(self) -> bool:
        """Become the owner if that was put off until now. True when it was."""
        if not self._is_due:
            return False
        self._is_due = False
        self.take()
        return True

    def _own(self, before: Sequence[RawEntry], after: Sequence[RawEntry] = ()) -> None:
        generation = self._generation or self.machine.generation + 1
        entry, self._holder = owner_entry(generation, self.clocks, self.release)
        self.store.note_holder(self._holder)
        # An owner of many runs takes each once in its life: what it drives again has not changed hands.
        is_ours = bool(self._generation) and generation == self.machine.generation
        self.append_many([*before, *([] if is_ours else [entry]), *after], flush=True)

    def append(self, entry: RawEntry, *, flush: bool | None = None) -> RawEntry:
        """Append one entry and return it as stored. `flush` None: as its kind demands (decision 23).

        NotStorable when it, or the value in it, is too large: then nothing was written. ReplayDivergence when entries
        are still to be served. StorageFailure, OwnedElsewhere: the log takes nothing more.
        """
        return self.append_many([entry], flush=flush)[0]

    def append_many(self, entries: Sequence[RawEntry], *, flush: bool | None = None) -> list[RawEntry]:
        """Append entries as one write; flushed when any of them must be, or as `flush` says.

        The owner is checked before it. After the flush it is checked once more where something outside follows, a call
        or the head; where the answer of a crossing goes back to the program, what that does next is checked first.
        """
        if self._is_due:
            self.machine.seal_batch(entries)  # raises for what may not be written: then the run is not taken either
            self.take_if_due()
        self._check_usable()
        must = any(flushes(entry) for entry in entries) if flush is None else flush
        mark = self.store.flushed
        bodies = list(entries)
        if must and mark is not None:
            bodies[-1] = {**bodies[-1], "b": mark}
        sealed = self.machine.seal_batch(bodies)
        stored, lines = [entry for entry, _ in sealed], [line for _, line in sealed]
        for entry, line in sealed:
            if len(line) > self.max_value_bytes:
                self._check_size(entry, line)
        try:
            self.store.append_many(lines, flush=must)
            if must and bodies[-1]["kind"] not in CROSSINGS:
                self.store.check_owner()
        except (StorageFailure, OwnedElsewhere) as failure:
            self._failure = failure
            raise
        for entry in stored:
            self.machine.commit(entry)
        if must:
            self._note_head(stored)
        return stored

    def _check_size(self, entry: RawEntry, line: bytes) -> None:
        """NotStorable for a line, longer than the limit of a value, that has no right to be."""
        size = len(canonical_json(entry.get("value")).encode("utf-8"))
        if size > self.max_value_bytes:
            raise NotStorable("", f"{size} bytes, more than {self.max_value_bytes},")
        # Arguments and value each have the limit for themselves; the rest is names, texts and digests.
        if len(line) > 2 * self.max_value_bytes + 65536:
            raise NotStorable("", f"entry of {len(line)} bytes")

    def _note_head(self, entries: list[RawEntry]) -> None:
        named = next((entry for entry in reversed(entries) if entry["kind"] in HEADED), None)
        if named is None:
            return
        try:
            self.store.write_head(Head(named["seq"], named["h"]))
        except StorageFailure as failure:
            self._failure = failure
            raise

    def flush(self) -> None:
        """Put on disk all that was appended."""
        self._check_usable()
        try:
            self.store.flush()
        except (StorageFailure, OwnedElsewhere) as failure:
            self._failure = failure
            raise

    def assert_owner(self) -> None:
        """OwnedElsewhere unless the log is still this process's own.

        To be called before every call of the host, but for one whose intent was appended the moment before: that has
        checked it. ReplayDivergence while anything recorded is still to be derived again.
        """
        if self.machine.remaining:
            self.machine.check_live("a call of the host")
        self.take_if_due()
        self._check_usable()
        try:
            self.store.check_owner()
        except (StorageFailure, OwnedElsewhere) as failure:
            self._failure = failure
            raise

    @property
    def failure(self) -> StorageFailure | OwnedElsewhere | None:
        """What ended the use of this log."""
        return self._failure

    def _check_usable(self) -> None:
        if self._failure is not None:
            raise StorageFailure.of(say.POISONED, path=self.store.path) from self._failure
        if self._holder is None:
            raise ValueError("the log has no owner yet: start it or take it first")
        if self._holder.pid != self.clocks.pid:
            # A forked child has a copy of this object, not the run.
            raise owned_by(self._holder)

    def close(self) -> None:
        """Give the run up. Appended entries are flushed unless the log has failed; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._holder is None:
            _give_back(self.store, self._noted_before)
            return
        try:
            if self._failure is None:
                self.store.flush()
                self.store.note_holder(replace(self._holder, released=True))
        finally:
            self._holder = None
            self.store.close()


def _give_back(store: Store, noted_before: Holder | None) -> None:
    """Leave a run that was only looked at as it was found, the note of its last holder included."""
    try:
        store.note_holder(noted_before)
    finally:
        store.close()
