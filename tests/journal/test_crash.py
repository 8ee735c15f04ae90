"""A real process killed at every system call that writes: no effect twice, none lost, one chain (groups A and C)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentl.journal.inspection import State, inspect
from agentl.journal.stores import FileStore
from tests.journal.kit import SCRIPT, Recorder, World, drive


def _child(folder: Path, ledger: Path, promise: str, place: int, after: bool) -> int:
    """Drive the script in a forked child that dies at its n-th writing call; its exit code."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            recorder = Recorder(place, lambda name: os._exit(9), after=after)
            drive(FileStore(folder, syscalls=recorder), SCRIPT, World(str(ledger)), promise=promise)
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("promise", ["none", "idempotent"])
def test_killed_at_every_system_call_and_resumed(tmp_path: Path, promise: str, after: bool) -> None:
    place = 0
    while True:
        place += 1
        folder, ledger = tmp_path / str(place), tmp_path / f"{place}.ledger"
        code = _child(folder, ledger, promise, place, after)
        world = World(str(ledger))
        if code == 0:
            break
        assert code == 9
        at_kill = inspect(FileStore(folder))
        assert at_kill.state is not State.DAMAGED
        assert len(world.seen()) <= at_kill.counts.get("intent", 0)
        drive(FileStore(folder), SCRIPT, world, promise=promise)
        _check(folder, world, promise, place)
    assert place > 30


def _check(folder: Path, world: World, promise: str, place: int) -> None:
    calls = world.seen()
    seen = inspect(FileStore(folder))
    assert (seen.status, seen.pending) == ("completed", []), place
    assert (seen.counts["intent"], seen.counts["invoke"]) == (2, 2)
    if promise == "none":
        # At most once each; an action that was cut off is in doubt and not called again.
        assert len(calls) == len(set(calls))
        assert 2 - len(calls) <= len(seen.doubts)
    else:
        assert len(set(calls)) == 2  # a second call of one action carries the same key
    assert not list(folder.glob("*.tmp")) or seen.state is State.ENDED


def test_killed_again_and_again_while_it_is_settled(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    for place in range(1, 60):
        if _child(tmp_path / "run", ledger, "idempotent", place, after=True) == 0:
            break
    world = World(str(ledger))
    drive(FileStore(tmp_path / "run"), SCRIPT, world, promise="idempotent")
    assert len(set(world.seen())) == 2
    assert inspect(FileStore(tmp_path / "run")).status == "completed"
