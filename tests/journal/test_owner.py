"""One owner: real processes at a barrier, dead owners, other machines (cases D1 to D7)."""

from __future__ import annotations

import errno
import os
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentl.journal.clocks import SystemClocks
from agentl.journal.errors import OwnedElsewhere, StorageFailure, UnsafeFileSystem
from agentl.journal.inspection import State, inspect
from agentl.journal.stores import FileStore, Holder, MemoryStore
from agentl.journal.stores import folder as folder_module
from agentl.journal.stores.folder import Folder
from agentl.journal.stores.lockfile import LockFile
from agentl.journal.stores.syscalls import Syscalls
from tests.journal.kit import SCRIPT, FakeClocks, World, drive, intent, open_log, started, taken


def spawn(work: Callable[[], int]) -> int:
    """Fork a child that ends with the code `work` returns; 4 when it is owned elsewhere, 70 for anything else."""
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        code = work()
    except OwnedElsewhere:
        code = 4
    except StorageFailure:
        code = 5
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def wait(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@contextmanager
def barrier() -> Iterator[tuple[Callable[[], None], Callable[[], None]]]:
    """A gate for children: (pass the gate, open the gate)."""
    reading, writing = os.pipe()

    def enter() -> None:
        os.close(writing)
        os.read(reading, 1)

    try:
        yield enter, lambda: os.close(writing)
    finally:
        os.close(reading)


class WaitingWorld(World):
    """A tool that does not come back before it is let go."""

    gate: Callable[[], None]

    def call(self, tool: str, key: str) -> dict[str, object]:
        answer = super().call(tool, key)
        self.gate()
        return answer


def test_of_two_processes_released_together_exactly_one_proceeds(tmp_path: Path) -> None:
    for turn in range(10):
        folder, ledger = tmp_path / str(turn), tmp_path / f"{turn}.ledger"
        with barrier() as (enter_start, open_start), barrier() as (enter_call, open_call):
            world = WaitingWorld(str(ledger))

            def work(folder: Path = folder, world: WaitingWorld = world) -> int:
                enter_start()
                world.gate = enter_call
                drive(FileStore(folder), SCRIPT[:2], world, clocks=SystemClocks())
                return 0

            pids = {spawn(work), spawn(work)}
            open_start()
            begun = time.monotonic()
            first, status = os.waitpid(-1, 0)
            assert os.waitstatus_to_exitcode(status) == 4
            assert time.monotonic() - begun < 1
            (winner,) = pids - {first}
            with pytest.raises(OwnedElsewhere, match=f"process {winner} on {SystemClocks().host} since 20"):
                open_log(FileStore(folder))
            open_call()
            assert wait(winner) == 0
        assert len(World(str(ledger)).seen()) == 1
        seen = inspect(FileStore(folder))
        assert (seen.state, seen.counts["owner"], seen.counts["intent"]) == (State.ENDED, 1, 1)


class NoLock(Syscalls):
    """A lock that excludes nobody, as on a network home."""

    def lock(self, fd: int) -> bool:
        return True


def test_where_the_lock_excludes_nobody_the_generation_in_the_log_still_stops_one(tmp_path: Path) -> None:
    for turn in range(15):
        folder, ledger = tmp_path / str(turn), tmp_path / f"{turn}.ledger"
        started(FileStore(folder)).close()
        with barrier() as (enter, release):
            world = World(str(ledger))

            def work(folder: Path = folder, world: World = world) -> int:
                enter()
                drive(FileStore(folder, syscalls=NoLock()), SCRIPT[:2], world)
                return 0

            pids = [spawn(work), spawn(work)]
            release()
            codes = sorted(wait(pid) for pid in pids)
        # Both done: one began when the other had ended. 5: what the other is just writing looks like damage.
        assert codes in ([0, 4], [4, 4], [0, 0], [0, 5], [4, 5]), codes
        assert len(World(str(ledger)).seen()) <= 1
        drive(FileStore(folder), SCRIPT[:2], World(str(ledger)))
        assert len(World(str(ledger)).seen()) <= 1
        assert inspect(FileStore(folder)).state is State.ENDED


def test_the_owner_of_a_killed_process_is_taken_over_at_once(tmp_path: Path) -> None:
    def work() -> int:
        started(FileStore(tmp_path), SystemClocks())
        os._exit(9)

    assert wait(spawn(work)) == 9
    log = taken(FileStore(tmp_path), SystemClocks())
    assert log.machine.generation == 2
    log.close()


@pytest.mark.parametrize("pid", [1, os.getpid(), os.getppid()], ids=["first", "own", "parent"])
def test_a_process_number_that_is_alive_proves_nothing(tmp_path: Path, pid: int) -> None:
    log = started(FileStore(tmp_path), FakeClocks(pid=pid))
    log.store.close()  # as when the process dies: nothing is given up in order
    again = taken(FileStore(tmp_path))
    assert again.machine.generation == 2
    again.close()


def _abandoned(clocks: FakeClocks) -> MemoryStore:
    store = MemoryStore()
    started(store, clocks)
    return store.crashed()


def test_an_owner_on_another_machine_is_refused_naming_host_time_and_the_way_out() -> None:
    store = _abandoned(FakeClocks(host="elsewhere", boot_id="boot-9", pid=77))
    with pytest.raises(OwnedElsewhere) as caught:
        open_log(store)
    text = str(caught.value) + caught.value.diagnostics[0].help()
    for part in ("elsewhere", "77", "2023-11-14T22:13:20Z", "--take-over 1"):
        assert part in text
    with pytest.raises(OwnedElsewhere):
        open_log(store, take_over=2)
    log = open_log(store, take_over=1)
    log.take()
    assert log.machine.generation == 2


@pytest.mark.parametrize(
    "clocks",
    [
        FakeClocks(host="here", boot_id="boot-before", pid=7),
        FakeClocks(host="renamed", boot_id="boot-1", pid=7),
    ],
)
def test_this_machine_after_a_restart_or_under_another_name_is_no_other_machine(clocks: FakeClocks) -> None:
    taken(_abandoned(clocks)).close()


def test_a_run_given_up_in_order_may_go_on_elsewhere() -> None:
    store = MemoryStore()
    started(store, FakeClocks(host="elsewhere", boot_id="boot-9")).close()
    assert store.holder() is not None
    taken(store).close()


def test_an_older_note_of_giving_up_frees_no_later_owner() -> None:
    store = _abandoned(FakeClocks(host="elsewhere", boot_id="boot-9"))
    store.note_holder(Holder("elsewhere", "boot-9", 1, 1, generation=0, released=True))
    with pytest.raises(OwnedElsewhere):
        open_log(store)


def test_an_ended_run_of_another_machine_can_be_opened() -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World(), clocks=FakeClocks(host="elsewhere", boot_id="boot-9"))
    store.note_holder(Holder("elsewhere", "boot-9", 1, 1, 1))
    assert open_log(store).machine.is_finished


def test_the_lock_file_stays_the_same_file_and_lets_one_in_at_a_time(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    first = LockFile(Folder(tmp_path, Syscalls()), "owner.lock", Syscalls())
    assert first.acquire()
    first.release()
    inode = (tmp_path / "owner.lock").stat().st_ino

    def work() -> int:
        lock = LockFile(Folder(tmp_path, Syscalls()), "owner.lock", Syscalls())
        done, deadline = 0, time.monotonic() + 20
        while done < 60 and time.monotonic() < deadline:
            if not lock.acquire():
                time.sleep(0.0002)
                continue
            held = int(counter.read_text())
            counter.write_text(str(held + 1))
            inside = int(counter.read_text())
            counter.write_text(str(inside - 1))
            lock.release()
            if inside != 1:
                return 1
            done += 1
        return 0 if done == 60 else 2

    pids = [spawn(work) for _ in range(3)]
    assert [wait(pid) for pid in pids] == [0, 0, 0]
    assert (tmp_path / "owner.lock").stat().st_ino == inode


def test_a_forked_child_does_not_keep_the_lock_of_its_dead_parent(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    forked, forking = os.pipe()

    def work() -> int:
        started(FileStore(tmp_path))
        if os.fork() == 0:
            os.close(writing)
            os.write(forking, b".")
            os.read(reading, 1)  # outlives its parent
            os._exit(0)
        os.read(forked, 1)
        os._exit(9)

    assert wait(spawn(work)) == 9
    taken(FileStore(tmp_path)).close()
    for fd in (writing, reading, forked, forking):
        os.close(fd)


def test_a_forked_copy_of_an_owner_is_no_owner(tmp_path: Path) -> None:
    log = started(FileStore(tmp_path), SystemClocks())

    def work() -> int:
        log.append(intent("pay"))
        return 0

    assert wait(spawn(work)) == 4

    def close() -> int:
        log.close()
        return 0

    spawned = spawn(close)
    assert wait(spawned) == 0
    with pytest.raises(OwnedElsewhere, match=f"process {os.getpid()}"):
        open_log(FileStore(tmp_path))
    log.append(intent("pay"))
    log.close()


def test_a_network_file_system_is_refused_before_anything_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "unsafe_kind", lambda path: "nfs4")
    with pytest.raises(UnsafeFileSystem, match="nfs4") as caught:
        open_log(FileStore(tmp_path / "run"))
    assert caught.value.exit_code == 5
    assert not (tmp_path / "run").exists()
    started(FileStore(tmp_path / "run", at_my_risk=True)).close()


def test_a_lock_that_cannot_be_taken_at_all_is_a_storage_failure(tmp_path: Path) -> None:
    class Broken(Syscalls):
        def lock(self, fd: int) -> bool:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with pytest.raises(StorageFailure, match="lock of"):
        open_log(FileStore(tmp_path, syscalls=Broken()))
