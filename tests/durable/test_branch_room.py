"""More branches than may be in a tool at once: they wait for room, and what only waited is in doubt for nobody."""

from __future__ import annotations

import threading
from threading import Barrier

import pytest

from agentl.durable import MemoryStore, driver
from agentl.journal.inspection import inspect
from tests.durable.kit import Killed
from tests.durable.test_branches import PATIENCE, THREE, World, met, program, run


def many(count: int) -> str:
    return program(" ".join(f"BRANCH n{place} {{ a(x = {place}) }}" for place in range(count)))


def test_without_a_bound_of_the_program_as_many_overlap_as_may_have_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "TOOLS_AT_ONCE", 3)
    meet = met(3)
    world = World(a=meet)
    assert run(many(9), world.host()).status == "completed"
    assert (world.most, len(world.calls)) == (3, 9)


def test_killed_with_branches_that_wait_only_what_was_called_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "TOOLS_AT_ONCE", 3)
    store, barrier = MemoryStore(), Barrier(3)

    def die() -> None:
        barrier.wait(PATIENCE)
        raise Killed

    world = World(a=die)
    with pytest.raises(Killed):
        run(many(9), world.host(idempotent=False), store)
    world.act.clear()
    made = run(many(9), world.host(idempotent=False), store.crashed())
    assert (len(made.doubts), len(world.calls)) == (3, 9)


def test_where_the_system_has_no_thread_a_call_was_not_made_and_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, begun = threading.Thread.start, [0]

    def scarce(thread: threading.Thread) -> None:
        begun[0] += 1
        if begun[0] > 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", scarce)
    world = World()
    made = run(many(5), world.host(idempotent=False))
    assert (made.status, len(world.calls)) == ("completed", 2)
    errors = [entry["error"][0] for entry in made.journal.entries if entry["kind"] == "invoke" and "error" in entry]
    assert errors == ["NotApplied"] * 3


def test_interrupted_while_it_waits_what_has_ended_by_then_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, go_on = Barrier(3), threading.Event()

    class Interrupted(driver.SimpleQueue):  # type: ignore[type-arg, misc]
        def get(self, *given: object) -> object:
            ended.wait(PATIENCE)
            while self.qsize() < 2:
                threading.Event().wait(0.001)
            raise KeyboardInterrupt

    monkeypatch.setattr(driver, "SimpleQueue", Interrupted)
    act = {"a": lambda: ended.wait(PATIENCE), "b": lambda: ended.wait(PATIENCE), "c": lambda: go_on.wait(PATIENCE)}
    world, store = World(**act), MemoryStore()
    with pytest.raises(KeyboardInterrupt):
        run(program(THREE), world.host(idempotent=False), store)
    go_on.set()
    monkeypatch.undo()
    seen = inspect(store)
    assert [action.tool for action in seen.pending] == ["c"]
    again = World()
    made = run(program(THREE), again.host(idempotent=False), store.crashed())
    assert ([action.tool for action in made.doubts], again.calls) == (["c"], [])
