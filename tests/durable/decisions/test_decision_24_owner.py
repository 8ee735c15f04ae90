"""Decision 24: one owner; a second process is refused and told who; a stale one neither appends nor calls."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, FileStore, OwnedElsewhere
from agentl.journal.stores.syscalls import Syscalls
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of


def desk_in(folder: Path, plan: str = PAY, **script: Any) -> Desk:
    return Desk(desk_program(plan), World(script), store=FileStore(folder))


def test_a_second_process_is_refused_at_once_and_told_who_has_it(tmp_path: Path) -> None:
    desk = desk_in(tmp_path / "run")
    refused: list[OwnedElsewhere] = []

    def second() -> dict[str, str]:
        other = desk_in(tmp_path / "run")
        with pytest.raises(OwnedElsewhere) as problem:
            other.process()
        refused.append(problem.value)
        assert other.world.calls == []
        return {"receipt": "R-1"}

    desk.world.script["pay"] = [second]
    run = desk.process()
    assert run.status == "completed"
    assert desk.world.count() == 1
    text = str(refused[0])
    assert f"process {desk.clocks.pid} on {desk.clocks.host} since 2023-11-14T" in text


def test_once_it_has_ended_another_process_may_have_it(tmp_path: Path) -> None:
    desk = desk_in(tmp_path / "run", pay=[Killed(), {"receipt": "R"}])
    desk.process(host_of(desk.world, idempotent=True))
    desk.store = FileStore(tmp_path / "run")
    desk.process(host_of(desk.world, idempotent=True))
    assert [fields["generation"] for fields in desk.of_kind("owner")] == [1, 2]


def test_the_lock_file_is_never_deleted(tmp_path: Path) -> None:
    desk = desk_in(tmp_path / "run")
    desk.process()
    inode = (tmp_path / "run" / "owner.lock").stat().st_ino
    desk.store = FileStore(tmp_path / "run")
    desk.process()
    assert (tmp_path / "run" / "owner.lock").stat().st_ino == inode


@pytest.mark.parametrize("how", ["appended", "cut", "replaced", "removed"])
def test_a_stale_owner_neither_calls_nor_appends(tmp_path: Path, how: str) -> None:
    """The lock excluded nobody (case P-D1): what another process did to the log is seen before the next call."""
    folder = tmp_path / "run"
    log = folder / "wal.jsonl"
    found: list[bytes] = []

    def meddle() -> dict[str, str]:
        data = log.read_bytes()
        if how == "appended":
            log.write_bytes(data + b'{"seq":99}\n')
        elif how == "cut":
            os.truncate(log, len(data) - 10)
        elif how == "replaced":
            shutil.copy(log, folder / "copy")
            (folder / "copy").replace(log)
        else:
            log.unlink()
        found.append(log.read_bytes() if log.exists() else b"")
        return {"receipt": "R-1"}

    desk = desk_in(folder, f'{PAY} note(text = "second")', pay=[meddle])
    with pytest.raises(OwnedElsewhere):
        desk.process()
    assert (desk.world.count("pay"), desk.world.count("note")) == (1, 0)
    assert (log.read_bytes() if log.exists() else b"") == found[0]


class Overtaken(Syscalls):
    """Another process appends to the log while the first entry of a kind is being flushed."""

    def __init__(self, log: Path, kind: str) -> None:
        self.log = log
        self.kind = kind

    def flush(self, fd: int) -> None:
        super().flush(fd)
        lines = self.log.read_bytes().splitlines() if self.log.exists() else []
        if lines and json.loads(lines[-1]).get("kind") == self.kind:
            with self.log.open("ab") as log:
                log.write(b'{"seq":99}\n')


@pytest.mark.parametrize(("kind", "calls"), [("owner", 0), ("intent", 0), ("invoke", 1), ("end", 2)])
def test_an_owner_that_is_overtaken_during_a_flush_calls_nothing_more_and_leaves_log_and_head(
    tmp_path: Path, kind: str, calls: int
) -> None:
    folder = tmp_path / "run"
    log, head = folder / "wal.jsonl", folder / "head.json"
    desk = desk_in(folder, f"{PAY} {PAY}")
    desk.store = FileStore(folder, syscalls=Overtaken(log, kind))
    with pytest.raises(OwnedElsewhere):
        desk.process()
    assert desk.world.count() == calls
    *written, foreign = [json.loads(line) for line in log.read_bytes().splitlines()]
    assert (foreign, written[-1]["kind"]) == ({"seq": 99}, kind)
    named = json.loads(head.read_bytes())["seq"] if head.exists() else -1
    assert named == max([n for n, entry in enumerate(written[:-1]) if entry["kind"] in ("owner", "intent")], default=-1)


def test_an_owner_that_was_overtaken_during_a_wait_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every call of the host, look-ups and readings too, the log must still be its own."""
    desk = desk_in(tmp_path / "run", pay=[Killed(), {"receipt": "R"}])
    desk.process(host_of(desk.world, reconcile=NOT_EXECUTED))
    desk.store = FileStore(tmp_path / "run")

    def overtaken(seconds: float) -> None:
        desk.clocks.pass_s(seconds)
        with (tmp_path / "run" / "wal.jsonl").open("ab") as log:
            log.write(b'{"seq":99}\n')

    monkeypatch.setattr(desk.clocks, "sleep", overtaken, raising=False)
    with pytest.raises(OwnedElsewhere):
        desk.process(host_of(desk.world, reconcile=NOT_EXECUTED, after_s=5.0))
    assert (len(desk.world.asked), desk.world.count()) == (1, 1)


def test_two_threads_with_stores_of_their_own_act_once(tmp_path: Path) -> None:
    world, ended = World(), []
    gate = threading.Barrier(2)

    def one() -> None:
        desk = Desk(desk_program(PAY), world, store=FileStore(tmp_path / "run"))
        gate.wait()
        try:
            ended.append(desk.process().status)
        except OwnedElsewhere:
            ended.append("owned")

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.count() == 1
    assert "completed" in ended


def test_a_live_owner_on_another_machine_is_refused_and_its_override_named(tmp_path: Path) -> None:
    desk = desk_in(tmp_path / "run", pay=[Killed(), {"receipt": "R"}])
    desk.process(host_of(desk.world, idempotent=True))
    lock = tmp_path / "run" / "owner.lock"
    lock.write_bytes(lock.read_bytes().replace(b"true", b"false"))
    desk.store = FileStore(tmp_path / "run")
    desk.clocks.host, desk.clocks.boot_id = "elsewhere", "boot-9"
    with pytest.raises(OwnedElsewhere, match="another machine, here, since"):
        desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.count() == 1
    desk.store = FileStore(tmp_path / "run")
    with pytest.raises(OwnedElsewhere):
        desk.process(host_of(desk.world, idempotent=True), take_over=7)
    desk.store = FileStore(tmp_path / "run")
    run = desk.process(host_of(desk.world, idempotent=True), take_over=1)
    assert run.status == "completed"
    assert desk.world.effects() == 1


def test_a_dead_owner_of_this_machine_is_taken_over_whatever_its_process_number(tmp_path: Path) -> None:
    """Case P-D2: a number that lives again in another process says nothing."""
    desk = desk_in(tmp_path / "run", pay=[Killed(), {"receipt": "R"}])
    desk.clocks.pid = 0
    desk.process(host_of(desk.world, idempotent=True))
    lock = tmp_path / "run" / "owner.lock"
    lock.write_bytes(lock.read_bytes().replace(b"true", b"false"))
    desk.store = FileStore(tmp_path / "run")
    assert desk.process(host_of(desk.world, idempotent=True)).status == "completed"


def test_nothing_but_open_and_owner_is_written_before_anything_else(tmp_path: Path) -> None:
    desk = desk_in(tmp_path / "run")
    desk.process()
    assert [entry["kind"] for entry in desk.entries][:2] == ["open", "owner"]
