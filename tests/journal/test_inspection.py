"""Inspection: one answer for status, verify, list and resume (cases A2, B5, B6, F4, F5)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentl.journal import entries
from agentl.journal.chain import body_of, chain_step, line_of
from agentl.journal.errors import Damage, UnknownFormat
from agentl.journal.export import export_run
from agentl.journal.inspection import State, inspect
from agentl.journal.stores import FileStore, MemoryStore
from agentl.messages import use_language
from tests.journal.kit import SCRIPT, World, drive, intent, open_log, opening, result, started


def _doubtful() -> MemoryStore:
    store = MemoryStore()
    log = started(store)
    log.append(entries.crossing("read", "a", value=1))
    log.append(intent("pay"))
    log.append(entries.resolution("pay", action_id="r7:DESK:t1:a1", how="in_doubt", boot_id="b", boot_clock=1.0, at=1))
    log.append(entries.crossing("invoke", "pay", args={}, error=("ActionInDoubt", "no answer")))
    log.append(intent("notify", 2, promise="reconcile"))
    return store


def test_all_that_people_are_shown_is_there() -> None:
    seen = inspect(_doubtful())
    assert (seen.state, seen.status, seen.run_id) == (State.RUNNING, "running", "r7")
    assert seen.crossings == 2
    assert seen.counts == {"open": 1, "owner": 1, "read": 1, "intent": 2, "resolution": 1, "invoke": 1}
    (pending,) = seen.pending
    assert (pending.tool, pending.action_id, pending.key) == ("notify", "r7:DESK:t1:a2", f"{2:032x}")
    assert (pending.promise, pending.kind, pending.digest, pending.attempt) == ("reconcile", "invoke", f"{2:064x}", 1)
    assert [action.action_id for action in seen.doubts] == ["r7:DESK:t1:a1"]
    assert [(r.tool, r.how, r.attempt) for r in seen.resolutions] == [("pay", "in_doubt", None)]
    assert seen.owner is not None and (seen.owner.host, seen.owner.generation) == ("here", 1)
    assert seen.terminal is None


def test_an_ended_run_says_how_it_ended() -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    seen = inspect(store)
    assert (seen.state, seen.status) == (State.ENDED, "completed")
    assert seen.terminal == {"status": "completed", "ticks": 1, "trace": "t"}


def test_every_reader_agrees_on_torn_and_on_damaged() -> None:
    store = MemoryStore()
    drive(store, SCRIPT[:4], World())
    lines = bytes(store.data).splitlines(keepends=True)
    torn = MemoryStore()
    torn.data = bytearray(b"".join(lines[:4]) + lines[4][:-9])
    damaged = MemoryStore()
    damaged.data = bytearray(b"".join(lines).replace(b"Z", b"z"))
    assert inspect(torn).state is State.TORN
    assert len(inspect(torn).entries) == open_log(torn.crashed()).machine.next_seq == 4
    seen = inspect(damaged)
    assert seen.state is State.DAMAGED and isinstance(seen.error, Damage)
    for reader in (lambda: open_log(damaged), lambda: export_run(seen)):
        with pytest.raises(Damage) as caught:
            reader()
        assert str(caught.value) == str(seen.error)


def _with_opening(**changed: object) -> MemoryStore:
    body = opening()
    body["args"] = {"$dict": [[name, changed.get(name, item)] for name, item in body["args"]["$dict"]]}
    return _raw(body)


def _raw(body: entries.RawEntry) -> MemoryStore:
    data = body_of({"seq": 0, **body})
    store = MemoryStore()
    store.data = bytearray(line_of(data, chain_step("", data)))
    return store


def test_a_newer_format_is_refused_by_every_reader_and_nothing_is_written() -> None:
    store = _with_opening(format="agentl.journal.v2", release="9.9.9")
    before = bytes(store.data)
    seen = inspect(store)
    assert seen.state is State.UNREADABLE and isinstance(seen.error, UnknownFormat)
    for part in ("agentl.journal.v2", "agentl.journal.v1", "9.9.9"):
        assert part in str(seen.error)
    with pytest.raises(UnknownFormat):
        open_log(store)
    assert bytes(store.data) == before


def test_a_journal_of_another_engine_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text(json.dumps({"format": "agentl.durable.v1", "run_id": "x"}))
    (tmp_path / "wal.jsonl").write_text('{"seq":0,"kind":"read","key":"a","value":1,"h":"00"}\n')
    with pytest.raises(UnknownFormat, match=r"1\.10.*agentl\.durable\.v1"):
        open_log(FileStore(tmp_path))


def test_a_journal_that_does_not_begin_with_its_opening_is_damage() -> None:
    with pytest.raises(Damage, match="#0"):
        open_log(_raw(entries.crossing("read", "a")))


def test_inspecting_changes_nothing(tmp_path: Path) -> None:
    drive(FileStore(tmp_path), SCRIPT, World())
    with (tmp_path / "wal.jsonl").open("ab") as file:
        file.write(b"{")
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    inspect(FileStore(tmp_path))
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == before


def test_damage_is_said_in_the_words_of_the_seed() -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    store.data = bytearray(bytes(store.data).replace(b"claim", b"clain", 1))
    error = inspect(store).error
    use_language("fr")
    try:
        assert "journal durable altéré au franchissement #2" in str(error)
    finally:
        use_language(None)


def test_a_result_in_one_branch_leaves_the_intent_of_another_pending() -> None:
    store = MemoryStore()
    log = started(store)
    log.append(intent("pay", 1, branch="p/0.a"))
    log.append(intent("pay", 2, branch="p/0.b"))
    log.append(result("pay", branch="p/0.a"))
    assert [action.branch for action in inspect(store).pending] == ["p/0.b"]
