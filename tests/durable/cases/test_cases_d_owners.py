"""Cases P-D1 to P-D7: one owner. Of P-D4, the lease of a server, only the long call under a second resume is here."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from agentl.durable import FileStore, OwnedElsewhere
from agentl.journal.inspection import inspect
from agentl.journal.stores.syscalls import Syscalls
from tests.cli.folders import PROGRAM, Place
from tests.durable.kit import PAY, Desk, World, desk_program
from tests.durable.processes import KILLED


class LocksNobodyOut(Syscalls):
    """A lock that succeeds for everybody, as on some network homes."""

    def lock(self, fd: int) -> bool:
        return True


def test_case_d1_where_the_lock_excludes_nobody_the_journal_does(tmp_path: Path) -> None:
    """The second resumes while the first is inside its call; the first comes back and stops before its next one."""
    world, run = World(), tmp_path / "run"

    def open_desk() -> Desk:
        text = desk_program(f'{PAY} note(text = "second")')
        return Desk(text, world, store=FileStore(run, syscalls=LocksNobodyOut()))

    first, second = open_desk(), open_desk()
    second.clocks.pass_s(1)

    def overtaken() -> dict[str, str]:
        second.process()
        return {"receipt": "R-1"}

    world.script["pay"] = [overtaken]
    with pytest.raises(OwnedElsewhere):
        first.process()
    assert (world.count("pay"), world.count("note")) == (1, 1)
    inspection = inspect(FileStore(run))
    assert inspection.error is None
    assert inspection.counts["owner"] == 2


@pytest.mark.parametrize("pid", [1, os.getpid(), 2**22 - 1], ids=["init", "own", "nobody"])
def test_case_d2_a_process_number_that_lives_again_keeps_nobody_out(tmp_path: Path, pid: int) -> None:
    place = Place(tmp_path)
    place.once("pay")
    assert place.durable().code == KILLED
    lock = tmp_path / "run" / "owner.lock"
    note = json.loads(lock.read_text(encoding="utf-8"))
    lock.write_text(json.dumps({**note, "pid": pid}), encoding="utf-8")
    assert place.durable().code == 75
    assert place.count() == 1


def test_case_d3_the_lock_file_stays_and_lets_one_in_at_a_time(tmp_path: Path) -> None:
    """Three contenders, each with its own open file; the counter of those inside never exceeds one."""
    first = FileStore(tmp_path / "run")
    assert first.lock()
    first.close()
    lock = tmp_path / "run" / "owner.lock"
    inode = lock.stat().st_ino
    inside, most, entered = 0, 0, 0
    guard = threading.Lock()

    def contend() -> None:
        nonlocal inside, most, entered
        for _ in range(200):
            store = FileStore(tmp_path / "run")
            if store.lock():
                with guard:
                    inside, entered = inside + 1, entered + 1
                    most = max(most, inside)
                with guard:
                    inside -= 1
            store.close()

    threads = [threading.Thread(target=contend) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert entered >= 3
    assert lock.stat().st_ino == inode


def test_case_d4_a_second_resume_during_a_long_call_is_refused_each_time_and_the_call_is_made_once(
    tmp_path: Path,
) -> None:
    world = World()
    refused = []

    def long_call() -> dict[str, str]:
        for _ in range(3):
            other = Desk(desk_program(), world, store=FileStore(tmp_path / "run"))
            with pytest.raises(OwnedElsewhere, match="is owned by process"):
                other.process()
            refused.append(other)
        return {"receipt": "R-1"}

    world.script["pay"] = [long_call]
    run = Desk(desk_program(), world, store=FileStore(tmp_path / "run")).process()
    assert run.status == "completed"
    assert (world.count(), len(refused)) == (1, 3)


@pytest.mark.parametrize("state", ["interrupted", "ended"])
def test_case_d7_a_folder_in_use_is_not_reset_by_a_second_start(tmp_path: Path, state: str) -> None:
    """Another program, another input, the same program with another input: three reasons, and not a byte changes."""
    place = Place(tmp_path)
    if state == "interrupted":
        place.once("note")
    assert place.durable("--input", "limit=1").code == (KILLED if state == "interrupted" else 0)
    place.write("other.agent", PROGRAM.replace("AGENT desk", "AGENT other"))
    before, calls = place.fingerprint(), place.count()
    reasons = set()
    for options in (
        ["other.agent", "--host", "desk.py"],
        ["desk.agent", "--input", "limit=2"],
        ["desk.agent", "--input", "limit=1", "--input", "more=1"],
        ["desk.agent", "--ticks", "2"],
        ["desk.agent", "--run-id", "another"],
        ["desk.agent", "--new"],
    ):
        ended = place.agentl("run", *options, "--durable", "run")
        assert ended.code == 3, str(ended)
        reasons.add(ended.err)
        assert place.fingerprint() == before
    assert len(reasons) == 6
    assert place.count() == calls
