"""FileStore: what reaches the disk, in which order, and what when it does not (cases A2, A7, B4, C1 to C3)."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from agentl.journal import entries
from agentl.journal.errors import Damage, OwnedElsewhere, StorageFailure
from agentl.journal.inspection import State, inspect
from agentl.journal.stores import FileStore
from agentl.journal.stores.syscalls import Syscalls
from tests.journal.kit import SCRIPT, Recorder, World, drive, intent, open_log, opening, result, started, taken


def test_a_new_run_is_on_disk_with_all_its_names_before_anything_is_done(tmp_path: Path) -> None:
    recorder = Recorder()
    log = started(FileStore(tmp_path / "runs" / "r7", syscalls=recorder))
    assert recorder.calls == [
        ("make_directory", "runs"),
        ("flush_directory", tmp_path.name),
        ("make_directory", "r7"),
        ("flush_directory", "runs"),
        ("open", "owner.lock"),
        ("overwrite", "owner.lock"),
        ("open", "wal.jsonl"),
        ("flush", "wal.jsonl"),
        ("flush_directory", "r7"),
        ("overwrite", "owner.lock"),
        ("write", "wal.jsonl"),
        ("flush", "wal.jsonl"),
        ("open", "head.json.tmp"),
        ("write", "head.json.tmp"),
        ("flush", "head.json.tmp"),
        ("replace", "head.json"),
        ("flush_directory", "r7"),
        ("open", "meta.json.tmp"),
        ("write", "meta.json.tmp"),
        ("flush", "meta.json.tmp"),
        ("replace", "meta.json"),
        ("flush_directory", "r7"),
    ]
    log.close()


def test_an_action_costs_two_flushes_and_readings_and_checkpoints_none(tmp_path: Path) -> None:
    recorder = Recorder()
    log = started(FileStore(tmp_path, syscalls=recorder))
    recorder.calls.clear()
    log.append(entries.crossing("read", "a"))
    log.append(intent("pay"))
    assert recorder.calls == [
        ("write", "wal.jsonl"),
        ("write", "wal.jsonl"),
        ("flush", "wal.jsonl"),
        ("overwrite", "head.json"),
    ]
    recorder.calls.clear()
    log.append(result("pay"))
    log.append(entries.checkpoint(1, state="s", trace="t"))
    assert recorder.calls == [("write", "wal.jsonl"), ("flush", "wal.jsonl"), ("write", "wal.jsonl")]
    log.close()


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = FileStore(tmp_path / "run")
        log = started(store)
        store.write_file("program/main.agent", b"x")
        log.close()
    finally:
        os.umask(old)
    for path in (tmp_path / "run").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["wal.jsonl", "owner.lock", "head.json.tmp", "meta.json.tmp"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).symlink_to(victim)
    with pytest.raises(StorageFailure, match="is a link"):
        started(FileStore(tmp_path / "run"))
    assert victim.read_bytes() == b"precious"


def test_a_directory_in_place_of_the_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wal.jsonl").mkdir()
    with pytest.raises(StorageFailure):
        started(FileStore(tmp_path))


def test_a_reader_of_a_running_process_never_takes_what_was_added_meanwhile_for_damage(tmp_path: Path) -> None:
    log = started(FileStore(tmp_path))
    numbers = iter(range(1, 100))

    class Busy(Syscalls):
        """The owner goes on between any two reads of the reader."""

        def read_all(self, fd: int, size: int) -> bytes:
            data = super().read_all(fd, size)
            log.append(intent("pay", next(numbers)))
            return data

    seen = inspect(FileStore(tmp_path, syscalls=Busy()))
    assert seen.error is None
    assert seen.state is State.RUNNING
    log.close()


# --- torn tails


def test_a_torn_tail_is_set_aside_once_and_only_by_the_owner(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    log_file = tmp_path / "wal.jsonl"
    whole = log_file.read_bytes()
    log_file.write_bytes(whole + b'{"half')
    assert inspect(FileStore(tmp_path)).state is State.TORN
    open_log(FileStore(tmp_path)).close()
    assert log_file.read_bytes() == whole + b'{"half'
    log = taken(FileStore(tmp_path))
    assert log.torn_name == "wal.torn-1"
    log.close()
    assert (tmp_path / "wal.torn-1").read_bytes() == b'{"half'
    with log_file.open("ab") as file:
        file.write(b"\0" * 10)
    log = taken(FileStore(tmp_path))
    assert log.torn_name == "wal.torn-2"
    log.close()
    assert inspect(FileStore(tmp_path)).reading.torn == 0


def test_the_torn_part_is_safe_before_it_is_cut(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    with (tmp_path / "wal.jsonl").open("ab") as file:
        file.write(b"half")
    recorder = Recorder()
    taken(FileStore(tmp_path, syscalls=recorder)).close()
    names = [call for call in recorder.calls if call[1] != "owner.lock"]
    assert names[:7] == [
        ("open", "wal.jsonl"),
        ("open", "wal.torn-1"),
        ("write", "wal.torn-1"),
        ("flush", "wal.torn-1"),
        ("flush_directory", tmp_path.name),
        ("truncate", "wal.jsonl"),
        ("flush", "wal.jsonl"),
    ]


def test_damage_is_never_repaired(tmp_path: Path) -> None:
    drive(FileStore(tmp_path), SCRIPT, World())
    log_file = tmp_path / "wal.jsonl"
    log_file.write_bytes(log_file.read_bytes().replace(b"claim", b"clain", 1))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(Damage):
        open_log(FileStore(tmp_path))
    assert inspect(FileStore(tmp_path)).state is State.DAMAGED
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"\0" * 160, b'{"seq":1,"h":"ab'])
def test_a_head_that_cannot_be_read_takes_nothing_away(tmp_path: Path, content: bytes) -> None:
    drive(FileStore(tmp_path), SCRIPT[:2], World())
    (tmp_path / "head.json").write_bytes(content)
    assert inspect(FileStore(tmp_path)).state is State.ENDED


def test_an_emptied_log_in_an_admitted_folder_is_damage(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    (tmp_path / "wal.jsonl").write_bytes(b"")
    with pytest.raises(Damage, match="#0"):
        open_log(FileStore(tmp_path))


def test_meta_is_a_copy_for_people_and_never_believed(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    (tmp_path / "meta.json").write_text(json.dumps({"run_id": "other", "format": "agentl.journal.v1"}))
    assert inspect(FileStore(tmp_path)).run_id == "r7"
    (tmp_path / "meta.json").write_bytes(b"\xff")
    assert inspect(FileStore(tmp_path)).run_id == "r7"


# --- not admitted


@pytest.mark.parametrize("content", [b"", b"\0" * 20, b'{"seq":0,"kind":"op'])
def test_a_folder_whose_first_write_never_ended_was_not_admitted_and_starts_cleanly(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "owner.lock").write_bytes(b"")
    (tmp_path / "wal.jsonl").write_bytes(content)
    seen = inspect(FileStore(tmp_path))
    assert (seen.state, seen.status) == (State.NOT_ADMITTED, "not admitted")
    world = World()
    drive(FileStore(tmp_path), SCRIPT, world)
    assert len(world.calls) == 2
    assert inspect(FileStore(tmp_path)).state is State.ENDED


def test_an_opening_without_an_owner_was_not_admitted(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    log_file = tmp_path / "wal.jsonl"
    log_file.write_bytes(log_file.read_bytes().splitlines(keepends=True)[0])
    (tmp_path / "head.json").unlink()
    (tmp_path / "meta.json").unlink()  # written after the owner: a start that was cut short has none
    log = open_log(FileStore(tmp_path))
    assert log.is_new
    log.start(opening("other"), {})
    log.close()
    assert inspect(FileStore(tmp_path)).run_id == "other"


def test_a_log_that_is_gone_while_meta_knows_of_a_run_is_damage(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    (tmp_path / "wal.jsonl").unlink()
    (tmp_path / "head.json").unlink()
    with pytest.raises(Damage, match="D107"):
        open_log(FileStore(tmp_path))
    assert not (tmp_path / "wal.jsonl").exists()


# --- storage failures


def _fail_with(number: int) -> object:
    def strike(name: str) -> None:
        raise OSError(number, os.strerror(number))

    return strike


class FlakyFlush(Syscalls):
    """The n-th flush of the log fails once; later ones would succeed, as on Linux."""

    def __init__(self, failing: int) -> None:
        self.flushes = 0
        self.failing = failing

    def flush(self, fd: int) -> None:
        self.flushes += 1
        if self.flushes == self.failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().flush(fd)


def test_a_failed_flush_stops_the_run_and_is_never_tried_again(tmp_path: Path) -> None:
    started(FileStore(tmp_path)).close()
    calls = FlakyFlush(failing=10**9)
    log = taken(FileStore(tmp_path, syscalls=calls))
    log.append(intent("pay"))
    calls.failing = calls.flushes + 1
    with pytest.raises(StorageFailure, match=r"flush of .*wal\.jsonl failed: .*errno 5"):
        log.append(result("pay"))
    tried = calls.flushes
    for attempt in (
        lambda: log.append(intent("second", 2)),
        lambda: log.append(entries.crossing("read", "a")),
        log.flush,
        log.assert_owner,
    ):
        with pytest.raises(StorageFailure, match="takes nothing more"):
            attempt()
    log.close()
    assert calls.flushes == tried
    assert isinstance(log.failure, StorageFailure)


def test_after_a_failed_flush_of_a_result_the_action_is_settled_at_resume(tmp_path: Path) -> None:
    world = World()
    calls = FlakyFlush(failing=6)  # lock, log, head and meta of the start are behind us: the first result
    with pytest.raises(StorageFailure):
        drive(FileStore(tmp_path, syscalls=calls), SCRIPT, world, promise="idempotent")
    assert len(world.calls) == 1
    drive(FileStore(tmp_path), SCRIPT, world, promise="idempotent")
    assert len(set(world.calls)) == 2


class FullDisk(Syscalls):
    """At the first write that holds `marker`, half of it is stored; then the disk is full."""

    def __init__(self, marker: bytes, *, short: bool) -> None:
        self.marker = marker
        self.short = short

    def write(self, fd: int, data: bytes) -> int:
        if self.marker not in data:
            return super().write(fd, data)
        written = super().write(fd, data[: len(data) // 2])
        if self.short:
            return written
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("short", [True, False])
def test_half_an_intent_on_a_full_disk_calls_nothing_and_is_cut_later(tmp_path: Path, short: bool) -> None:
    world = World()
    with pytest.raises(StorageFailure, match="short write" if short else "errno 28"):
        drive(FileStore(tmp_path, syscalls=FullDisk(b'"intent"', short=short)), SCRIPT, world)
    assert world.calls == []
    assert inspect(FileStore(tmp_path)).state is State.TORN
    drive(FileStore(tmp_path), SCRIPT, world)
    assert len(world.calls) == 2
    assert inspect(FileStore(tmp_path)).state is State.ENDED
    assert (tmp_path / "wal.torn-1").exists()


def test_a_write_that_fails_anywhere_never_lets_a_call_go_ahead_of_its_intent(tmp_path: Path) -> None:
    whole = Recorder()
    drive(FileStore(tmp_path / "whole", syscalls=whole), SCRIPT, World(), promise="idempotent")
    for place in range(1, len(whole.calls) + 1):
        folder, world = tmp_path / str(place), World()
        failing = Recorder(place, _fail_with(errno.EIO))  # type: ignore[arg-type]
        with pytest.raises(StorageFailure):
            drive(FileStore(folder, syscalls=failing), SCRIPT, world, promise="idempotent")
        assert len(world.calls) <= inspect(FileStore(folder)).counts.get("intent", 0)
        drive(FileStore(folder), SCRIPT, world, promise="idempotent")
        assert len(set(world.calls)) == 2, place
        assert inspect(FileStore(folder)).status == "completed"


# --- fencing


def test_an_owner_whose_log_was_replaced_stops_before_the_next_call(tmp_path: Path) -> None:
    log = started(FileStore(tmp_path))
    data = (tmp_path / "wal.jsonl").read_bytes()
    (tmp_path / "wal.jsonl").unlink()
    (tmp_path / "wal.jsonl").write_bytes(data)
    with pytest.raises(OwnedElsewhere, match="another process wrote"):
        log.assert_owner()
    with pytest.raises(StorageFailure, match="takes nothing more"):
        log.append(intent("pay"))
    log.close()
    assert (tmp_path / "wal.jsonl").read_bytes() == data


@pytest.mark.parametrize("how", ["append", "cut", "remove", "rename"])
def test_an_owner_whose_log_changed_under_it_appends_nothing(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "run"
    log = started(FileStore(folder))
    log_file = folder / "wal.jsonl"
    if how == "append":
        with log_file.open("ab") as file:
            file.write(b"x\n")
    elif how == "cut":
        os.truncate(log_file, 10)
    elif how == "remove":
        log_file.unlink()
    else:
        folder.rename(tmp_path / "moved")
    before = log_file.read_bytes() if log_file.exists() else None
    with pytest.raises(OwnedElsewhere):
        log.append(entries.crossing("read", "a"))
    log.close()
    assert (log_file.read_bytes() if log_file.exists() else None) == before


def test_the_folder_is_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = FileStore("run")
    log = started(store)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    log.append(intent("pay"))
    log.close()
    assert store.path == "run/wal.jsonl"
    assert inspect(FileStore(tmp_path / "run")).counts["intent"] == 1
