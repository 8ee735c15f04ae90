"""One contract for every store that keeps something."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agentl.journal import entries
from agentl.journal.errors import OwnedElsewhere
from agentl.journal.inspection import State, inspect
from agentl.journal.reading import Head
from agentl.journal.stores import FileStore, Holder, MemoryStore, NullStore, SQLiteStore, Store
from agentl.values import NotStorable
from tests.journal.kit import SCRIPT, FakeClocks, World, drive, intent, open_log, opening, result, started, taken

Opener = Callable[[], Store]


@pytest.fixture(params=["memory", "file", "sqlite"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Opens the same stored run again and again."""
    if request.param == "file":
        return lambda: FileStore(tmp_path / "deep" / "run")
    if request.param == "sqlite":
        return lambda: SQLiteStore(tmp_path / "deep" / "runs.db", "r7")
    memory = MemoryStore()
    return lambda: memory


def test_looking_creates_nothing(reopen: Opener, tmp_path: Path) -> None:
    assert inspect(reopen()).state is State.ABSENT
    assert reopen().holder() is None
    assert reopen().file_names() == []
    assert reopen().read_file("program/main.agent") is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_appended_is_read_back_in_order(reopen: Opener) -> None:
    log = started(reopen())
    log.append(entries.crossing("read", "a", value="Zürich 🏦"))
    log.append_many([entries.crossing("read", "b", value=2), intent("pay")])
    log.append(result("pay", {"ok": True}))
    log.close()
    seen = inspect(reopen())
    assert [entry["kind"] for entry in seen.entries] == ["open", "owner", "read", "read", "intent", "invoke"]
    assert seen.head == log.machine.head
    assert seen.meta == {"format": "agentl.journal.v1", "run_id": "r7"}
    assert seen.crossings == 3


def test_a_flushed_entry_is_seen_by_a_reader_while_the_owner_runs(reopen: Opener) -> None:
    log = started(reopen())
    log.append(intent("pay"))
    seen = inspect(reopen())
    assert seen.state is State.RUNNING
    assert [action.tool for action in seen.pending] == ["pay"]
    log.close()


def test_closing_in_order_keeps_what_needed_no_flush(reopen: Opener) -> None:
    log = started(reopen())
    log.append(entries.crossing("read", "a", value=1))
    log.close()
    assert inspect(reopen()).counts["read"] == 1


def test_a_second_owner_is_refused_until_the_first_gives_up(reopen: Opener) -> None:
    log = started(reopen())
    with pytest.raises(OwnedElsewhere, match="process 4242 on here since 2023-11-14T22:13:20Z"):
        open_log(reopen())
    log.close()
    again = taken(reopen())
    assert again.machine.generation == 2
    again.close()
    again.close()


def test_the_head_names_the_last_flushed_intent_and_is_never_ahead(reopen: Opener) -> None:
    log = started(reopen())
    log.append(entries.crossing("read", "a"))
    entry = log.append(intent("pay"))
    log.append(result("pay"))
    log.close()
    assert reopen().load().head == Head(entry["seq"], entry["h"])


def test_refusing_before_taking_leaves_every_byte_as_it_was(reopen: Opener, tmp_path: Path) -> None:
    started(reopen()).close()
    before = _bytes(tmp_path), reopen().load()
    open_log(reopen()).close()
    assert (_bytes(tmp_path), reopen().load()) == before


def _bytes(folder: Path) -> dict[str, bytes]:
    # The two files SQLite makes for every reader are empty here: `load` shows what they could hold.
    kept = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(("-shm", "-wal")))
    return {str(path): path.read_bytes() for path in kept}


def test_files_of_a_run_are_kept_and_replaced(reopen: Opener) -> None:
    log = started(reopen())
    log.store.write_file("program/main.agent", b"AGENT A {}")
    log.store.write_file("program/main.agent", b"AGENT B {}")
    log.store.write_file("secret.key", b"\0" * 32)
    log.close()
    assert reopen().read_file("program/main.agent") == b"AGENT B {}"
    assert reopen().file_names() == ["program/main.agent", "secret.key"]
    assert reopen().file_names("program/") == ["program/main.agent"]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../b", "wal.jsonl", "", "a//b", ".hidden", "owner.lock"])
def test_no_file_leads_out_of_the_run_or_over_its_log(reopen: Opener, name: str) -> None:
    log = started(reopen())
    with pytest.raises(ValueError, match="name of a file"):
        log.store.write_file(name, b"x")
    log.close()


@pytest.mark.parametrize("promise", ["none", "idempotent"])
def test_a_script_runs_once_however_often_it_is_started(reopen: Opener, promise: str) -> None:
    world = World()
    for _ in range(3):
        drive(reopen(), SCRIPT, world, promise=promise)
    assert len(world.calls) == 2
    assert inspect(reopen()).status == "completed"


def test_an_entry_that_is_too_large_is_refused_and_the_log_goes_on(reopen: Opener) -> None:
    log = started(reopen())
    log.max_value_bytes = 1000
    with pytest.raises(NotStorable, match="1002 bytes, more than 1000"):
        log.append(entries.crossing("read", "a", value="x" * 1000))
    with pytest.raises(NotStorable, match="entry of"):
        log.append(entries.crossing("read", "a" * 68000, value="x"))
    log.append(entries.crossing("read", "a", value="x" * 998))
    log.close()
    assert inspect(reopen()).counts["read"] == 1


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 97, 98, 99, 100, 101, 128, 256, 1000])
def test_no_entry_is_lost_at_the_boundary_of_a_batch(reopen: Opener, size: int) -> None:
    log = started(reopen())
    log.append_many([intent("pay", n, branch=f"p/{n}") for n in range(size)])
    log.append_many([result("pay", n, branch=f"p/{n}") for n in range(size)])
    assert log.machine.pending_intents() == []
    log.store.close()  # as when the process dies
    seen = inspect(reopen())
    assert (seen.counts["intent"], seen.counts["invoke"], seen.pending) == (size, size, [])


def test_a_note_of_the_holder_is_for_people_only(reopen: Opener) -> None:
    started(reopen()).close()
    holder = reopen().holder()
    assert holder == Holder("here", "boot-1", 4242, FakeClocks().wall, 1, released=True)


def test_two_runs_in_one_database_do_not_know_each_other(tmp_path: Path) -> None:
    one, two = (started(SQLiteStore(tmp_path / "runs.db", run_id), run_id=run_id) for run_id in ("r1", "r2"))
    one.append(intent("pay"))
    two.append(entries.crossing("ask", "q", args={}, value=1, at=1))
    one.close()
    two.close()
    assert SQLiteStore.runs(tmp_path / "runs.db") == ["r1", "r2"]
    assert SQLiteStore.runs(tmp_path / "none.db") == []
    assert inspect(SQLiteStore(tmp_path / "runs.db", "r2")).counts == {"open": 1, "owner": 1, "ask": 1}


def test_the_null_store_keeps_nothing() -> None:
    world = World()
    for _ in range(2):
        drive(NullStore(), SCRIPT, world)
    assert len(world.calls) == 4
    assert inspect(NullStore()).state is State.ABSENT


def test_a_start_over_an_existing_run_is_refused(reopen: Opener) -> None:
    started(reopen()).close()
    log = open_log(reopen())
    with pytest.raises(ValueError, match="already holds"):
        log.start(opening(), {})
    log.close()


def test_nothing_is_appended_before_the_log_has_an_owner(reopen: Opener) -> None:
    log = open_log(reopen())
    with pytest.raises(ValueError, match="no owner yet"):
        log.append(entries.crossing("read", "a"))
    log.close()
