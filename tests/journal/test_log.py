"""The log: barriers, offsets, one write a batch, and what a failure leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from agentl.journal import entries
from agentl.journal.errors import OwnedElsewhere, ReplayDivergence, StorageFailure
from agentl.journal.reading import Head, read_entries
from agentl.journal.stores import MemoryStore
from agentl.messages import durable as say
from tests.journal.kit import intent, open_log, opening, result, started, taken


class Watched(MemoryStore):
    """Notes how many lines each write has and whether it was flushed, and what is done to a store in which order."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[tuple[int, bool]] = []
        self.done: list[str] = []
        self.failing: Exception | None = None

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        if self.failing is not None:
            raise self.failing
        self.writes.append((len(lines), flush))
        self.done.append(f"flushed {json.loads(lines[-1])['kind']}" if flush else "written")
        super().append_many(lines, flush=flush)

    def check_owner(self) -> None:
        self.done.append("checked")

    def write_head(self, head: Head) -> None:
        self.done.append("head")
        super().write_head(head)


def test_opening_and_owner_are_one_flushed_write() -> None:
    store = Watched()
    started(store)
    assert store.writes == [(2, True)]


def test_what_needs_no_flush_rides_on_the_next_barrier() -> None:
    store = Watched()
    log = started(store)
    store.writes.clear()
    log.append(entries.crossing("read", "a"))
    log.append(entries.crossing("drain", "", value=[]))
    log.append(intent("pay"))
    log.append(result("pay"))
    log.append(entries.checkpoint(1, state="s", trace="t"))
    log.append(entries.crossing("drain", "", value=["event"]))
    assert store.writes == [(1, False), (1, False), (1, True), (1, True), (1, False), (1, True)]


def test_a_flush_can_be_asked_for_or_spared() -> None:
    store = Watched()
    log = started(store)
    store.writes.clear()
    log.append(entries.crossing("read", "a"), flush=True)
    log.append(intent("pay"), flush=False)
    assert store.writes == [(1, True), (1, False)]


def test_a_flushed_entry_tells_up_to_where_the_log_was_on_disk() -> None:
    store = MemoryStore()
    log = started(store)
    begun = len(store.data)
    free = log.append(entries.crossing("read", "a"))
    first = log.append(intent("pay"))
    reached = len(store.data)
    second = log.append(result("pay"))
    assert "b" not in free
    assert (first["b"], second["b"]) == (begun, reached)
    assert read_entries(bytes(store.data)).entries[-1]["b"] == reached


def test_the_last_of_a_flushed_batch_tells_it_for_all() -> None:
    log = started(MemoryStore())
    first, second = log.append_many([entries.crossing("read", "a"), intent("pay")])
    assert "b" not in first and "b" in second


def test_the_head_never_names_what_is_not_flushed() -> None:
    store = MemoryStore()
    log = started(store)
    log.append(intent("pay"), flush=False)
    assert store.head is not None and store.head.seq == 1


def test_after_a_power_cut_the_run_goes_on_from_the_last_barrier() -> None:
    store = MemoryStore()
    log = started(store)
    log.append(intent("pay"))
    log.append(entries.crossing("invoke", "pay", args={}, value=1))
    log.append(entries.crossing("read", "a"))
    kinds = [entry["kind"] for entry in open_log(store.crashed(lost=True)).inspection.entries]
    assert kinds == ["open", "owner", "intent", "invoke"]
    assert open_log(store.crashed()).inspection.entries[-1]["kind"] == "read"


def test_nothing_is_appended_or_believed_after_a_failure() -> None:
    store = Watched()
    log = started(store)
    store.failing = StorageFailure.of(say.STORAGE_FAILED, operation="write", path="x", error="y")
    with pytest.raises(StorageFailure):
        log.append(intent("pay"))
    assert log.machine.pending_intents() == []
    store.failing = None
    for attempt in (lambda: log.append(intent("pay")), log.assert_owner, log.flush):
        with pytest.raises(StorageFailure, match="takes nothing more") as caught:
            attempt()
        assert caught.value.__cause__ is log.failure


def test_a_lost_owner_takes_nothing_more_either() -> None:
    store = Watched()
    log = started(store)
    store.failing = OwnedElsewhere.of(say.OWNERSHIP_LOST, path="x")
    with pytest.raises(OwnedElsewhere):
        log.append(intent("pay"))
    store.failing = None
    with pytest.raises(StorageFailure, match="takes nothing more"):
        log.append(intent("pay"))


def test_the_owner_is_asked_for_at_every_call_of_the_host() -> None:
    store = Watched()
    log = started(store)
    store.done.clear()
    log.assert_owner()
    assert store.done == ["checked"]


def test_the_owner_is_checked_once_more_before_the_head_names_what_was_flushed_and_a_call_may_follow() -> None:
    store = Watched()
    log = started(store)
    log.append(intent("pay"))
    log.append(result("pay"))
    log.append(entries.ended(status="completed", ticks=1, trace="t"))
    before_others = ["checked", "head"]
    assert store.done == [
        *("flushed owner", *before_others),
        *("flushed intent", *before_others),
        "flushed invoke",
        *("flushed end", *before_others),
    ]


def test_a_divergence_writes_nothing_and_harms_nothing() -> None:
    store = MemoryStore()
    log = started(store)
    log.append(entries.crossing("read", "a", value=1))
    log.close()
    log = taken(store)
    before = bytes(store.data)
    with pytest.raises(ReplayDivergence):
        log.append(entries.crossing("read", "b"))
    assert bytes(store.data) == before
    assert log.machine.crossing("read", "a") is not None
    log.append(entries.crossing("read", "b"))


def test_every_owner_has_the_next_generation() -> None:
    store = MemoryStore()
    started(store).close()
    for expected in (2, 3, 4):
        log = taken(store)
        assert log.machine.generation == expected
        log.close()


def test_a_run_that_fails_to_open_gives_the_lock_back() -> None:
    store = MemoryStore()
    started(store).close()
    store.data[10] = 0
    for _ in range(2):
        with pytest.raises(Exception, match="damaged"):
            open_log(store)


def test_what_goes_in_before_the_first_tick_is_in_the_opening() -> None:
    store = MemoryStore()
    started(store).close()
    fields = open_log(store).machine.opening
    assert fields is not None
    assert fields["run_id"] == "r7"
    assert fields["options"] == {"breaker": 3}
    assert (fields["tick_bound"], fields["engine"]) == (None, 1)
    assert opening()["kind"] == "open"
