"""The knife cuts where it is told to, and a dead process does nothing more."""

from __future__ import annotations

import pytest

from agentl.journal.reading import Head
from agentl.journal.stores.memory import MemoryStore
from agentl.testing.crash import Cut, CuttingStore, Killed, Knife, cuts

LINES = [b'{"seq":0}\n', b'{"seq":1}\n']


def killed(store: CuttingStore) -> None:
    with pytest.raises(Killed):
        store.append_many(LINES, flush=True)
        store.write_head(Head(1, "h"))


def test_without_a_cut_operations_are_counted_and_done() -> None:
    store = CuttingStore()
    store.append_many(LINES, flush=True)
    store.write_head(Head(1, "h"))
    store.write_meta({"a": 1})
    assert store.knife.operations == ["append", "flush", "head", "meta"]
    assert store.data == store.durable == b"".join(LINES)


@pytest.mark.parametrize(
    ("cut", "data", "durable"),
    [
        (Cut(1), b"", b""),
        (Cut(1, "torn"), b"".join(LINES)[:10], b""),
        (Cut(1, "after"), b"".join(LINES), b""),
        (Cut(2), b"".join(LINES), b""),
        (Cut(2, "torn"), b"".join(LINES), b""),
        (Cut(2, "after"), b"".join(LINES), b"".join(LINES)),
        (Cut(3), b"".join(LINES), b"".join(LINES)),
    ],
    ids=str,
)
def test_cut_leaves_what_was_done_before_it(cut: Cut, data: bytes, durable: bytes) -> None:
    store = CuttingStore(knife=Knife(cut))
    killed(store)
    assert (store.data, store.durable, store.inner.head) == (data, durable, None)


def test_dead_process_writes_nothing_and_keeps_no_lock_from_the_next() -> None:
    store = CuttingStore(knife=Knife(Cut(1, "after")))
    assert store.lock()
    killed(store)
    with pytest.raises(Killed):
        store.flush()
    with pytest.raises(Killed):
        store.check_owner()
    store.close()
    assert store.durable == b""
    assert store.crashed().lock()


def test_power_cut_takes_what_was_not_flushed_by_any_process() -> None:
    first = CuttingStore(knife=Knife(Cut(3)))
    killed(first)
    second = first.crashed()
    second.append_many([b'{"seq":2}\n'], flush=False)
    assert second.crashed(lost=True).data == b"".join(LINES)
    assert second.crashed().data == second.data


def test_knife_that_is_not_deadly_fails_one_operation_only() -> None:
    def fail(operation: str) -> None:
        raise OSError(operation)

    store = CuttingStore(MemoryStore(), Knife(Cut(1), fail, deadly=False))
    with pytest.raises(OSError, match="append"):
        store.append_many(LINES, flush=True)
    store.append_many(LINES, flush=True)
    assert store.durable == b"".join(LINES)


def test_cuts_are_every_place_in_every_way() -> None:
    assert [str(cut) for cut in cuts(2, "before", "after")] == ["before-1", "after-1", "before-2", "after-2"]
