"""SHARED memory: one store of several machines, versions and conflicts (semantics.md §18.2)."""

from __future__ import annotations

from agentl.logic.shared import SharedMemory
from agentl.runtime.machine import Machine
from agentl.values import UNDEFINED
from tests.runtime.programs import agent, play
from tests.runtime.world import World

WRITER = """BELIEF { n: 0 } MEMORY { SHARED { k } WRITE { STORE { n } INTO SHARED.k } }
    LOOP { SET n = n + 1 SET before = SHARED.k.count UPDATE_MEMORY }"""


def test_a_declared_key_reads_as_empty_before_the_first_write() -> None:
    played = play("MEMORY { SHARED { k } } LOOP { SET c = SHARED.k.count SET v = SHARED.k.version SET u = SHARED.u }")
    assert (played["c"], played["v"], played["u"]) == (0, 0, UNDEFINED)


def test_a_write_gives_record_and_version_to_all_and_the_version_to_the_writer() -> None:
    played = play(WRITER, ticks=2)
    assert played["SHARED.k"] == [{"n": 1.0}, {"n": 2.0}]
    assert (played["SHARED.k.count"], played["SHARED.k.version"], played["SHARED.k.last.n"]) == (2, 2, 2.0)
    assert (played["shared.k.version"], played["before"]) == (2, 1)
    assert played.label("SHARED.k.last.n") == {"SHARED"}
    assert played.label("shared.k.version") == {"RUNTIME", "SHARED"}
    assert played.label("before") == {"SHARED", "RUNTIME"}
    assert played.lines("SHARED") == ["SHARED k version 1 ({n: 1.0})", "SHARED k version 2 ({n: 2.0})"]
    assert played.counted() == {"shared_writes": 2}


def test_a_record_equal_to_the_last_one_is_not_written_again() -> None:
    played = play("BELIEF { n: 0 } MEMORY { SHARED { k } WRITE { STORE { n } INTO SHARED.k } }", ticks=3)
    assert played["SHARED.k.version"] == 1


def test_machines_with_one_memory_see_each_others_writes_and_conflicts_are_told() -> None:
    shared = SharedMemory()
    first, second = (Machine(agent(WRITER), shared=shared) for _ in range(2))
    world = World()
    for machine in (first, second, first, first):
        if machine is second:
            machine.state.set_belief("n", machine.state.beliefs["n"].__class__(50))
        world.go_on(machine, 1)
    assert [record["n"] for record in shared.records["k"]] == [1.0, 51.0, 2.0, 3.0]
    assert second.state.get("before") == 1
    assert first.metrics["shared_conflicts"] == 1 and second.metrics["shared_conflicts"] == 0
    conflict = next(event for event in first.trace.of_kind("SHARED") if event.name == "conflict")
    assert conflict.render() == "[2] SHARED k: last written here as version 1, stood at 2 (the write counts)"
    assert (first.state.get("shared.k.version"), second.state.get("shared.k.version")) == (4, 2)


def test_what_is_shared_is_a_copy() -> None:
    played = play(
        """MEMORY { LONG_TERM { r } SHARED { k }
            WRITE { STORE { r } INTO SHARED.k } WRITE { STORE { x } INTO LONG_TERM.r } }
        LOOP { SET x = 1 UPDATE_MEMORY }"""
    )
    assert played["SHARED.k.last.r"] == [] and played["r"] == [{"x": 1}]


def test_a_machine_given_a_state_and_a_memory_uses_the_memory() -> None:
    shared = SharedMemory()
    shared.write("k", {"n": 7})
    machine = Machine(agent(WRITER), state=Machine(agent(WRITER)).state, shared=shared)
    assert machine.state.get("SHARED.k.last.n") == 7 and shared.declared == {"k"}
