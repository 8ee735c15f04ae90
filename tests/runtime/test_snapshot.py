"""States written down and read back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentl.diagnostics import AgentLError
from agentl.logic.shared import SharedMemory
from agentl.runtime.machine import Machine
from agentl.runtime.snapshot import shared_from_data, shared_to_data, state_from_data, state_to_data
from agentl.runtime.state import State
from agentl.values import NotStorable, Symbol
from tests.runtime.programs import agent, play
from tests.runtime.world import Script, World

BODY = """OBSERVE { a.b ON UNKNOWN ESCALATE } BELIEF { z.z: 1 } MEMORY { LONG_TERM { effect_drift } }
    TOOL t { INPUT { v } EFFECT { a.b = 1 } OUTPUT { k } }
    EVENT ping { SET x = payload.n } PLAN p { t(v = 5) } PLAN q { } POLICY { DENY t WHEN n == 9 }
    LOOP { OBSERVE UPDATE_BELIEFS SELECT_PLAN p EXECUTE q UPDATE_MEMORY }"""


def fail() -> Any:
    raise OSError("down")


def test_everything_that_continues_a_run_survives() -> None:
    played = play(
        BODY,
        ticks=4,
        sensors={"a.b": Script(1, 2, 1, None)},
        tools={"t": Script({"k": [1, (2,)]}, {"k": 2}, fail)},
        events=[{"source": "ping", "payload": {"n": 1}}],
    )
    state = played.machine.state
    state.inbox.append({"name": "m", "from": "B", "payload": {}})
    data = json.loads(json.dumps(state_to_data(state)))
    again = state_from_data(data)
    assert state_to_data(again) == data
    for name in ("locals", "world", "beliefs", "untrusted", "labels", "attestations", "breakers", "drift", "escalated"):
        assert getattr(again, name) == getattr(state, name), name
        assert getattr(state, name), f"{name} is empty: the test proves nothing"
    assert (again.queue, again.inbox, again.tick, again.metrics) == (state.queue, state.inbox, 4, state.metrics)


def test_shared_is_in_the_snapshot_unless_a_society_keeps_it() -> None:
    state = State(SharedMemory(("k", "other")))
    state.share("k", {"a.b": Symbol("x"), "n": 1}, frozenset())
    state.share("k", {"n": 2}, frozenset())
    again = state_from_data(json.loads(json.dumps(state_to_data(state)))).shared
    assert (again.records, again.versions, again.declared) == (state.shared.records, {"k": 2}, {"k", "other"})
    apart = state_to_data(state, with_shared=False)
    assert apart["shared"] is None
    assert state_from_data(apart, state.shared).shared is state.shared
    assert state_from_data(apart).shared.records == {}
    assert shared_from_data(json.loads(json.dumps(shared_to_data(state.shared)))).records == state.shared.records


def test_every_field_of_the_state_is_in_the_snapshot() -> None:
    """A new field must be written down, or be known to be empty between ticks."""
    empty_between_ticks = {"_appended", "_touched", "received"}
    from_the_program = {"constants"}
    written = set(state_to_data(State()))
    assert {name for name in State.__slots__ if name not in written} == empty_between_ticks | from_the_program


@pytest.mark.parametrize("data", [{}, {"format": "other"}, {"format": "agentl.snapshot.v1"}])
def test_what_is_no_snapshot_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(AgentLError, match="R006"):
        state_from_data(data)


def test_a_value_no_journal_can_hold_is_refused_by_name() -> None:
    state = State()
    state.set_world("a.b", object())
    with pytest.raises(NotStorable):
        state_to_data(state)


def digests(body: str, ticks: int, **world: Any) -> list[tuple[str, str]]:
    return play(body, ticks=ticks, **world).world.digests


def test_the_state_digest_says_what_changed_and_is_chained() -> None:
    body = "OBSERVE { a.b } LOOP { OBSERVE UPDATE_BELIEFS }"
    same = [state for state, _ in digests(body, 3, sensors={"a.b": 1})]
    other = [state for state, _ in digests(body, 3, sensors={"a.b": Script(1, 2, 1)})]
    assert same[0] == other[0] and same[1] != other[1] and same[2] != other[2]
    assert len({*same}) == 3


@pytest.mark.parametrize(("left", "right"), [(1, 1.0), (1, True), ("x", "y"), ([1], (1,))])
def test_values_of_different_kinds_give_different_digests(left: Any, right: Any) -> None:
    body = "OBSERVE { a.b } LOOP { OBSERVE }"
    assert digests(body, 1, sensors={"a.b": left}) != digests(body, 1, sensors={"a.b": right})


def test_a_label_alone_changes_the_digest() -> None:
    first, second = State(), State()
    first.set_local("x", 1, frozenset({"HUMAN"}))
    second.set_local("x", 1, frozenset({"TOOL"}))
    assert first.close_tick() != second.close_tick()


def test_the_order_of_changes_in_a_tick_does_not_matter_and_a_removal_does() -> None:
    first, second, third = State(), State(), State()
    for state, order in ((first, "xy"), (second, "yx"), (third, "xy")):
        for name in order:
            state.set_local(name, name)
    assert first.close_tick() == second.close_tick() == third.close_tick()
    third.remove_local("y")
    assert first.close_tick() == second.close_tick() != third.close_tick()


def test_scores_count_with_twelve_digits_and_other_numbers_in_full() -> None:
    def digest(path: str, value: float) -> str:
        state = State()
        state.set_world(path, value)
        return state.close_tick()

    for score in ("goal.score", "goals.main.score"):
        assert digest(score, 0.1 + 0.2) == digest(score, 0.3)
    for other in ("goal.scores", "bank.score", "goals.main.scored"):
        assert digest(other, 0.1 + 0.2) != digest(other, 0.3)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.attest(5, "t"),
        lambda state: setattr(state.breaker("t"), "failures", 1),
        lambda state: setattr(state.drift_of("t", "a.b"), "confirmed", 1),
        lambda state: state.escalated.add("a.b"),
        lambda state: state.inbox.append({"name": "m"}),
        lambda state: state.remember("LONG_TERM", "k", {"n": 1}, frozenset()),
        lambda state: state.share("k", {"n": 1}, frozenset()),
        lambda state: setattr(state, "sequence", 1),
        lambda state: setattr(state, "failed", True),
        lambda state: state.set_untrusted("k", 1),
    ],
)
def test_everything_that_changes_what_happens_next_is_in_the_digest(change: Any) -> None:
    plain, changed = State(), State()
    change(changed)
    assert plain.close_tick() != changed.close_tick()


def test_a_tick_costs_its_changes_and_not_the_state() -> None:
    """Counted, not timed: how much text a tick adds to the digest."""
    state = State()
    for number in range(500):
        state.set_world(f"a.n{number}", number)
        state.remember("LONG_TERM", "k", {"n": number}, frozenset())
    state.close_tick()
    state.set_world("a.n1", 7)
    state.remember("LONG_TERM", "k", {"n": 1}, frozenset())
    assert len(state._touched) + len(state._appended) == 2


def test_clearing_payloads_is_an_option() -> None:
    body = "EVENT ping { SET x = payload.n } LOOP { SELECT_PLAN }"
    events = [{"source": "ping", "payload": {"n": 1}}]
    kept = play(body, events=list(events)).machine.state
    cleared = play(body, events=list(events), options={"clear_payloads": True}).machine.state
    assert set(kept.locals) == {"payload", "event", "x"} and kept.untrusted == {"n": 1}
    assert set(cleared.locals) == {"x"} and cleared.untrusted == {}
    assert cleared.received == set()


def test_a_machine_built_on_a_state_does_not_prepare_it_again() -> None:
    machine = Machine(agent("BELIEF { n: 0 } LOOP { SET n = n + 1 }"))
    World().tick(machine)
    again = Machine(machine.agent, state=state_from_data(state_to_data(machine.state)))
    World().tick(again)
    assert again.state.get("n") == 2.0


SEEDED = """
from tests.runtime.programs import agent
from tests.runtime.random_programs import DECLARATIONS, make_world
body = DECLARATIONS + '''PLAN p0 WHEN n < 3 { SET n = n + 1 t0(v = [1 2 a.b]) t2() FOREACH r IN records { t1(n) }
    REASON { PRODUCE { said } } DELEGATE helper { } }
    PLAN p1 { } EVENT ping { SET word = payload }'''
sensors = {"a.b": [{1, 2, "x", "y"}, 1], "c.d": [None], "e.f": [1]}
tools = {name: [{"out": 1, "z": 2, "b": 3}] for name in ("t0", "t1", "t2", "t3")}
said = {"reason": [{"said": "yes"}], "judge": [{}], "plan": [None], "helper": [{"k": {1: 2}, "b": 1}]}
world = make_world((sensors, tools, True, said))
world.run(agent(body), 3)
print(world.digests)
"""


def test_digests_do_not_depend_on_the_hash_seed() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", SEEDED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1 and "[('" in printed.pop()
