"""UPDATE_MEMORY and seeded memory (semantics.md §18.1)."""

from __future__ import annotations

from agentl.runtime.machine import Machine
from agentl.values import UNDEFINED
from tests.runtime.programs import agent, play
from tests.runtime.world import Script, World

LOOP = "LOOP { OBSERVE UPDATE_BELIEFS UPDATE_MEMORY }"


def test_a_record_is_appended_unless_it_equals_the_last_one() -> None:
    played = play(
        f"OBSERVE {{ a.b }} MEMORY {{ WRITE {{ STORE a.b INTO LONG_TERM.seen }} }} {LOOP}",
        ticks=4,
        sensors={"a.b": Script(1, 1, 2, 1)},
    )
    assert played["seen"] == [{"a.b": 1}, {"a.b": 2}, {"a.b": 1}]
    assert played.counted()["memory_writes"] == 3


def test_absent_paths_are_stored_as_undefined() -> None:
    played = play(f"MEMORY {{ WRITE {{ STORE {{ a.b word }} INTO SHORT_TERM.k }} }} {LOOP}")
    assert played["k"] == [{"a.b": UNDEFINED, "word": UNDEFINED}]


def test_the_default_target_is_long_term_records() -> None:
    played = play(f"MEMORY {{ WRITE {{ STORE a.b }} }} {LOOP}")
    assert played.machine.state.memory["LONG_TERM"]["records"] == [{"a.b": UNDEFINED}]


def test_a_when_that_does_not_hold_writes_nothing() -> None:
    played = play(f"MEMORY {{ WRITE {{ WHEN a.b == 1 STORE a.b INTO KNOWLEDGE.k }} }} {LOOP}")
    assert played["k"] is UNDEFINED and played.names("MEMORY") == []


def test_declared_names_start_as_empty_lists() -> None:
    assert (
        play("MEMORY { SHORT_TERM { a } LONG_TERM { b } KNOWLEDGE { c } } LOOP { SET n = len(a) + len(b) + len(c) }")[
            "n"
        ]
        == 0.0
    )


def test_a_record_keeps_what_it_stored_when_a_list_grows_later() -> None:
    played = play(
        f"OBSERVE {{ a.b }} MEMORY {{ LONG_TERM {{ seen }} WRITE {{ STORE a.b INTO LONG_TERM.seen }} "
        f"WRITE {{ STORE seen INTO SHORT_TERM.copies }} }} {LOOP}",
        ticks=2,
        sensors={"a.b": Script(1, 2)},
    )
    assert played["copies"] == [{"seen": [{"a.b": 1}]}, {"seen": [{"a.b": 1}, {"a.b": 2}]}]


def test_a_local_set_from_a_memory_list_does_not_grow_with_it() -> None:
    played = play(
        "MEMORY { LONG_TERM { seen } WRITE { STORE n INTO LONG_TERM.seen } } LOOP { UPDATE_MEMORY IF "
        "NOT kept == 1 THEN { SET copy = seen SET kept = 1 } SET n = 2 }",
        ticks=3,
    )
    assert len(played["seen"]) == 2 and len(played["copy"]) == 1


def test_the_label_of_a_memory_list_is_all_that_was_ever_stored() -> None:
    played = play(
        f"OBSERVE {{ a.b c.d }} MEMORY {{ LONG_TERM {{ seen }} WRITE {{ WHEN c.d == 1 STORE a.b INTO "
        f"LONG_TERM.seen }} }} {LOOP}",
        sensors={"a.b": 1, "c.d": 1},
    )
    assert played.label("seen") == {"OBSERVED", "DECLARED"}


def test_an_unknown_bucket_is_an_error_and_writes_nothing() -> None:
    played = play(f"MEMORY {{ WRITE {{ STORE a.b INTO ATTIC.k }} }} {LOOP}")
    assert played.lines("ERROR") == ["ERROR there is no memory ATTIC (WRITE into ATTIC.k skipped)"]


def test_a_stored_value_that_is_no_list_is_replaced() -> None:
    machine = Machine(agent("MEMORY { WRITE { STORE n INTO LONG_TERM.k } } LOOP { UPDATE_MEMORY }"))
    machine.state.long_term["k"] = "junk"  # type: ignore[assignment]
    World().tick(machine)
    assert machine.state.get("k") == [{"n": UNDEFINED}]


def test_seeded_memory_is_labelled_memory() -> None:
    machine = Machine(agent("MEMORY { LONG_TERM { k } }"))
    machine.seed_memory("LONG_TERM", "k", [{"n": 1}])
    assert machine.state.get("k") == [{"n": 1}] and machine.state.label("k") == {"MEMORY"}


def test_receive_traces_and_drops_messages_nobody_handles() -> None:
    machine = Machine(agent("LOOP { RECEIVE }"))
    machine.state.inbox.append({"name": "hello", "from": "B", "payload": {"n": 1}})
    World().tick(machine)
    assert machine.state.inbox == []
    assert [event.render() for event in machine.trace.of_kind("MESSAGE")] == [
        "[1] MESSAGE hello from B: no handler ({n: 1})"
    ]
