"""The run and the tick: limits, the cycle, single phases, calls from outside (semantics.md §7, host-api §4)."""

from __future__ import annotations

import json

import pytest

from agentl.diagnostics import AgentLError
from agentl.ir.program import Agent
from agentl.runtime.answers import Value
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Read, TickDone
from agentl.runtime.unsupported import KINDS
from agentl.values import Symbol
from tests.runtime.programs import Played, agent, play
from tests.runtime.world import World


@pytest.mark.parametrize(
    ("body", "limit"),
    [("", 10), ("LOOP MAX 3 { OBSERVE }", 3), ("LOOP { OBSERVE }", 10), ("LOOP MAX 0 { OBSERVE }", 10)],
)
def test_the_tick_limit_is_loop_max_or_ten(body: str, limit: int) -> None:
    assert Machine(agent(body)).tick_limit == limit


def test_until_is_tested_after_each_tick_and_never_before_the_first() -> None:
    played = play("BELIEF { n: 1 } LOOP UNTIL n == 1 MAX 5 { SET seen = yes }", ticks=None)
    assert played.machine.state.tick == 1
    assert played["seen"] == "yes"
    assert played.lines("INFO")[-1] == "INFO stop (LOOP UNTIL holds)"


def test_an_error_in_until_counts_as_false_and_is_traced() -> None:
    played = play('LOOP UNTIL "a" + 1 > 0 MAX 2 { }', ticks=None)
    assert played.machine.state.tick == 2
    assert played.names("ERROR") == ["expression", "expression"]


def test_reaching_the_goal_does_not_stop_the_run() -> None:
    played = play("GOAL g { ACHIEVE a.b == 1 } BELIEF { a.b: 1 } LOOP MAX 3 { EVALUATE_GOALS }", ticks=None)
    assert played["goal.satisfied"] is True
    assert played.machine.state.tick == 3


def test_without_a_loop_the_default_cycle_runs() -> None:
    played = play(
        """GOAL g { ACHIEVE a.b == 1 }
        OBSERVE { a.b }
        MEMORY { WRITE { STORE a.b INTO LONG_TERM.seen } }
        PLAN p WHEN a.b == 1 { STEP s { SET done = yes } }""",
        sensors={"a.b": 1},
    )
    order = [event.kind for event in played.machine.trace.events]
    assert order == [
        "TICK",
        "OBSERVE",
        "BELIEF",
        "GOAL",
        "GOAL",
        "PLAN",
        "PLAN",
        "STEP",
        "INFO",
        "GOAL",
        "GOAL",
        "MEMORY",
    ]


def test_an_empty_loop_body_runs_the_default_cycle() -> None:
    assert play("OBSERVE { a.b } LOOP { }", sensors={"a.b": 1})["a.b"] == 1


def test_a_loop_body_runs_exactly_what_it_lists() -> None:
    played = play("OBSERVE { a.b } LOOP { SET x = 1 }", sensors={"a.b": 1})
    assert played.world.crossings == []
    assert played["x"] == 1


def test_statements_in_a_loop_body_run_at_their_place() -> None:
    played = play(
        "OBSERVE { a.b } LOOP { IF a.b == 1 THEN { SET early = yes } OBSERVE IF a.b == 1 THEN { SET late = yes } }",
        sensors={"a.b": 1},
    )
    assert played["early"] is not True and played.machine.state.locals == {"late": Symbol("yes")}


@pytest.mark.parametrize(("alias", "phase"), [("DECIDE", "SELECT_PLAN"), ("ACT", "EXECUTE")])
def test_decide_and_act_are_other_words_for_phases(alias: str, phase: str) -> None:
    machine = Machine(agent(f"LOOP {{ {alias} }}"))
    assert World().tick(machine).tick == 1
    machine.begin_phase(alias)
    world = World()
    world.drive(machine)
    assert world.crossings == ([("drain",)] if phase == "SELECT_PLAN" else [])


def test_a_single_phase_runs_alone() -> None:
    machine, world = Machine(agent("OBSERVE { a.b }")), World(sensors={"a.b": 4})
    machine.begin_phase("OBSERVE")
    world.drive(machine)
    assert machine.state.get("a.b") == 4
    assert machine.state.tick == 0 and machine.state.beliefs == {}


def test_an_unknown_phase_is_refused_by_name() -> None:
    with pytest.raises(AgentLError, match=r"R005.*DREAM"):
        Machine(agent("")).begin_phase("DREAM")


def test_nothing_begins_while_something_is_under_way() -> None:
    machine = Machine(agent("OBSERVE { a.b }"))
    machine.begin_tick()
    assert machine.step(None) == Read("a.b")
    with pytest.raises(ValueError, match="under way"):
        machine.begin_tick()


def test_step_insists_on_the_answer_that_was_asked_for() -> None:
    machine = Machine(agent("OBSERVE { a.b }"))
    machine.begin_tick()
    with pytest.raises(ValueError, match="answer"):
        machine.step(Value(1))
    machine.step(None)
    with pytest.raises(ValueError, match="answer"):
        machine.step(None)


def test_the_stack_is_json_at_every_request_and_goes_on_from_it() -> None:
    body = """OBSERVE { a.b ON UNKNOWN ESCALATE  c.d }
        TOOL t { INPUT { n: Number } REQUIRES { c.d == 1 } }
        EVENT ping { WHEN payload.n > 0 IF payload.n == 2 THEN { t(n = payload.n) } }
        PLAN p WHEN c.d == 1 { STEP s {
            FOREACH x IN [1, 2] { LOOP MAX 2 { t(n = x) ASK boss { QUESTION "well?" } } }
            VERIFY { CONDITION c.d == 2 ON FAIL { RETRY 1 ESCALATE t(n = 9) } } } }"""
    events = [{"source": "ping", "payload": {"n": 2}}]
    plain = play(body, sensors={"c.d": 1}, events=list(events), answer=Symbol("fine"))
    world = World(sensors={"c.d": 1}, events=list(events), answer=Symbol("fine"))
    machine = Machine(agent(body))
    machine.begin_tick()
    step = machine.step(None)
    while not isinstance(step, TickDone):
        machine.load_frames(json.loads(json.dumps(machine.frames_to_data())))
        step = machine.step(world.reply(machine, step))
    assert len(world.calls) > 8
    assert world.crossings == plain.world.crossings
    assert (step.state_digest, step.trace_digest) == plain.world.digests[0]


def test_phases_nested_without_end_are_cut_off_with_an_error() -> None:
    played = play("BELIEF { a.b: 1 } DECIDE { RULES { IF a.b == 1 THEN { DECIDE } } }")
    assert "nesting" in played.names("ERROR")


TOOL = "TOOL t { INPUT { n: Number } OUTPUT { m: Number } RISK HIGH }"


def called(body: str, world: World, **how: object) -> Played:
    machine = Machine(agent(body))
    machine.begin_call("t", {"n": 1}, **how)  # type: ignore[arg-type]
    world.drive(machine)
    return Played(machine, world)


def test_a_call_from_outside_gives_the_reduced_result() -> None:
    played = called(TOOL, World(tools={"t": {"m": 2, "z": 3}}))
    assert played.machine.call_result == {"m": 2}
    assert played.lines("TOOL") == ["TOOL t(n=1) (risk=HIGH)"]


def test_a_call_from_outside_without_labels_is_untrusted() -> None:
    played = called(TOOL + "POLICY { NEVER t WHEN UNTRUSTED(n) }", World(tools={"t": {"m": 2}}))
    assert played.world.calls == [] and played.machine.call_result is None


def test_a_call_from_outside_can_bring_labels() -> None:
    world = World(tools={"t": {"m": 2}})
    labels = {"n": frozenset({"OBSERVED"}), "$control": frozenset({"HUMAN"})}
    played = called(TOOL + "POLICY { NEVER t WHEN UNTRUSTED(action) }", world, labels=labels)
    assert played.machine.call_result == {"m": 2}
    assert played.label("t.m") == {"TOOL", "HUMAN"}


def test_each_call_from_outside_has_its_own_result() -> None:
    machine, world = Machine(agent(TOOL + "TOOL u { }")), World(tools={"t": {"m": 2}, "u": OSError("down")})
    for tool, args, result in (("t", {"n": 1}, {"m": 2}), ("u", {}, None), ("t", {"n": 1}, {"m": 2}), ("x", {}, None)):
        machine.begin_call(tool, args)
        world.drive(machine)
        assert machine.call_result == result


def test_a_call_from_outside_of_an_undeclared_tool_is_blocked() -> None:
    world = World()
    played = called("", world)
    assert world.crossings == [] and played.lines("BLOCKED") == ["BLOCKED t(n=1) (undeclared: no TOOL of this name)"]


def test_a_call_from_outside_obeys_requires() -> None:
    played = called("OBSERVE { a.b } TOOL t { REQUIRES { a.b == 1 } INPUT { n: Number } }", World(sensors={"a.b": 2}))
    assert played.world.crossings == [("read", "a.b")] and played.names("INFO") == ["requires"]


def test_an_input_is_a_belief_of_source_input_bound_before_tick_one() -> None:
    machine = Machine(agent(""))
    machine.set_input("order", "o-1")
    assert machine.state.beliefs["order"].source == "input"
    assert machine.state.label("order") == {"EXTERNAL"}
    World().tick(machine)
    with pytest.raises(AgentLError, match=r"R004.*order"):
        machine.set_input("order", "o-2")


def test_the_state_before_tick_one_holds_beliefs_empty_memory_and_no_doubt() -> None:
    machine = Machine(
        agent("BELIEF { a.b: 2 CONFIDENCE 0.4 SOURCE guess } MEMORY { LONG_TERM { incidents } } TOOL t { }")
    )
    state = machine.state
    assert (state.beliefs["a.b"].value, state.beliefs["a.b"].confidence, state.beliefs["a.b"].source) == (
        2,
        0.4,
        "guess",
    )
    assert state.get("incidents") == []
    assert state.get("tools.t.in_doubt") is False and state.tick == 0
    assert state.label("a.b") == {"DECLARED"}


def test_a_belief_carries_the_label_of_its_expression() -> None:
    machine = Machine(agent("BELIEF { a.b: 2 c.d: CONFIDENCE(a.b) }"))
    assert machine.state.label("c.d") == {"DECLARED", "RUNTIME"}


def test_a_belief_that_cannot_be_evaluated_is_an_error_before_tick_one() -> None:
    machine = Machine(agent('BELIEF { a.b: "x" + 1 c.d: 1 }'))
    assert list(machine.state.beliefs) == ["c.d"]
    assert [event.tick for event in machine.trace.of_kind("ERROR")] == [0]


def test_a_belief_defaults_to_certain_and_declared() -> None:
    belief = Machine(agent("BELIEF { a.b: 2 }")).state.beliefs["a.b"]
    assert (belief.confidence, belief.source, belief.updated) == (1.0, "declared", None)


def test_seeding_memory_of_an_unknown_bucket_is_refused() -> None:
    with pytest.raises(AgentLError, match=r"R003.*ATTIC"):
        Machine(agent("")).seed_memory("ATTIC", "k", [])


def test_an_agent_that_cannot_run_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "stop", "STOP")
    with pytest.raises(AgentLError, match=r"R001.*STOP"):
        Machine(agent('PLAN p { STOP "why" }'))


def test_an_empty_agent_runs() -> None:
    made = Agent.make(name="A")
    assert World().run(made, 2).state.tick == 2
