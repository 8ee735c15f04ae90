"""What holds for every program in every world (policy.md §13, decisions 11 and 12)."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.logic.scope import Belief
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Act, Read, Request, TickDone
from agentl.runtime.snapshot import state_from_data, state_to_data
from agentl.values import UNDEFINED
from tests.runtime.model import Scripted
from tests.runtime.programs import agent
from tests.runtime.random_programs import OBSERVED, Alone, make_world, programs, worlds
from tests.runtime.world import World

TICKS = 3


def run(body: str, script: Any, *, fresh_machine_each_tick: bool = False) -> tuple[World, Machine]:
    """Run some ticks; optionally each one in a new machine that knows nothing but the written state."""
    world, machine = make_world(script), Machine(agent(body))
    for _ in range(TICKS):
        world.tick(machine)
        machine.until_holds()
        if fresh_machine_each_tick:
            written = json.loads(json.dumps(state_to_data(machine.state)))
            machine = Machine(agent(body), state=state_from_data(written))
    return world, machine


@settings(max_examples=40)
@given(body=programs(), script=worlds())
def test_a_run_goes_on_from_any_tick_as_if_nothing_had_happened(body: str, script: Any) -> None:
    plain, machine = run(body, script)
    resumed, last = run(body, script, fresh_machine_each_tick=True)
    assert resumed.crossings == plain.crossings
    assert resumed.digests == plain.digests
    assert state_to_data(last.state) == state_to_data(machine.state)


@settings(max_examples=20)
@given(body=programs(), script=worlds())
def test_the_stack_can_be_written_down_at_every_request(body: str, script: Any) -> None:
    plain, _ = run(body, script)
    world, machine = make_world(script), Machine(agent(body))
    for _ in range(TICKS):
        machine.begin_tick()
        step = machine.step(None)
        while not isinstance(step, TickDone):
            machine.load_frames(json.loads(json.dumps(machine.frames_to_data())))
            step = machine.step(world.reply(machine, step))
        machine.until_holds()
    assert world.crossings == plain.crossings and machine.state.digest == plain.digests[-1][0]


class Gatekeeper(Alone):
    """A world that looks at every action before it is handled."""

    def __init__(self, world: World) -> None:
        super().__init__(
            **{
                name: getattr(world, name)
                for name in ("sensors", "tools", "subagents", "model", "answer", "approver", "events")
            }
        )
        self.before: list[Request] = []

    def reply(self, machine: Machine, request: Request) -> Any:
        if isinstance(request, Act):
            self.inspect(machine, request)
        self.before.append(request)
        return super().reply(machine, request)

    def inspect(self, machine: Machine, act: Act) -> None:
        assert act.kind == "delegate" or act.tool in machine.contracts
        assert set(act.labels) == {*act.args, "$control"}
        assert act.labels["$control"] >= {"RUNTIME"}
        for name in act.args:
            assert act.labels[name] >= act.labels["$control"]
        if act.tool == "t1":
            # REQUIRES: read again at the last moment, and true now.
            assert self.before[-1] == Read("e.f")
            assert machine.state.get("e.f") == 1 and machine.state.get("n") < 9


@settings(max_examples=40)
@given(body=programs(), script=worlds())
def test_no_action_is_asked_for_without_the_gates_before_it(body: str, script: Any) -> None:
    world, machine = Gatekeeper(make_world(script)), Machine(agent(body))
    for _ in range(TICKS):
        world.tick(machine)
    asked = sum(isinstance(request, Act) for request in world.before)
    ends = machine.trace.of_kind("TOOL") + [
        event
        for event in machine.trace.of_kind("BLOCKED", "ERROR")
        if event.name in {"refused", "tool", "output", "in_doubt", "subagent", "subagent_result", "no_subagent"}
    ]
    ends += [event for event in machine.trace.of_kind("DELEGATE") if event.name == "returned"]
    assert len(ends) == asked
    assert machine.metrics["tool_calls"] <= len(world.calls) <= len(world.ids) <= asked
    # Keys are made of branch, sequence and arguments, not of the tick.
    assert len({re.sub(":t[0-9]+", "", action, count=1) for action in world.ids}) == len(world.ids)


class Twin(Gatekeeper):
    """Has every action that a model had a part in made by hand as well, in a copy of the same state."""

    def reply(self, machine: Machine, request: Request) -> Any:
        if not isinstance(request, Act) or request.kind != "invoke":
            return super().reply(machine, request)
        by_hand = self.made_by_hand(machine, request)
        before = len(self.calls)
        answer = super().reply(machine, request)
        assert (len(self.calls) > before) == by_hand, request
        return answer

    def made_by_hand(self, machine: Machine, act: Act) -> bool:
        """Whether the call would reach its tool as a call of the host's own, in this state."""
        copy = Machine(machine.agent, state=state_from_data(state_to_data(machine.state)))
        values = {path: copy.state.get(path) for path in OBSERVED}
        hand = World(sensors=values, tools={name: {} for name in copy.contracts}, approver=self.approver)
        copy.begin_call(act.tool, act.args, act.labels)
        hand.drive(copy)
        return bool(hand.calls)


@settings(max_examples=25)
@given(body=programs(), script=worlds())
def test_no_model_answer_makes_a_call_that_the_same_state_would_refuse_by_hand(body: str, script: Any) -> None:
    world, machine = Twin(make_world(script)), Machine(agent(body))
    for _ in range(TICKS):
        world.tick(machine)


NAMES = ("x", "x.a", "x.a.b", "helper.k", "helper.k.n", "k", "n", "a", "helper", "goal.score")
NESTED = st.recursive(
    st.integers(0, 3),
    lambda inner: st.dictionaries(st.sampled_from(("a", "b", "k", "n", "k.n", "score", "x.a")), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100)
@given(
    beliefs=st.sets(st.sampled_from(NAMES)),
    locals_=st.sets(st.sampled_from(NAMES)),
    results=st.dictionaries(st.sampled_from(NAMES), NESTED, max_size=4),
    how=st.sampled_from(("REASON { PRODUCE { y  deep } }", "DELEGATE helper { }", "DELEGATE helper { EXPECT { zz } }")),
)
def test_keys_from_outside_never_change_a_name_that_was_defined(
    beliefs: set[str], locals_: set[str], results: dict[str, Any], how: str
) -> None:
    body = f"EVENT ping {{ SET seen = 1 }} LOOP {{ SELECT_PLAN {how} }}"
    machine = Machine(agent(body))
    for name in beliefs:
        machine.state.set_belief(name, Belief(f"belief {name}"), frozenset({"DECLARED"}))
    for name in locals_:
        machine.state.set_local(name, f"local {name}", frozenset({"DELEGATE"}))
    names = {*NAMES, *(f"y.{name}" for name in NAMES)}
    machine.state.set_world("y.a.b", 7)
    before = {name: machine.state.get_labeled(name) for name in names}
    world = World(
        subagents={"helper": {**results, "zz": results}},
        model=Scripted({"y": results, "deep": {"x": results}, **results}),
        events=[{"source": "ping", "payload": results}],
    )
    world.tick(machine)
    for name, (value, label) in before.items():
        if value is not UNDEFINED:
            assert machine.state.get_labeled(name) == (value, label), name
    assert machine.state.get("seen") == 1


@settings(max_examples=20)
@given(body=programs(), script=worlds())
def test_every_event_reads_as_one_line_and_every_value_has_a_label(body: str, script: Any) -> None:
    _, machine = run(body, script)
    for event in machine.trace.events:
        assert "\n" not in event.render()
    state = machine.state
    for store in ("locals", "world", "beliefs", "untrusted"):
        for key in getattr(state, store):
            assert state.labels[store][key], (store, key)
