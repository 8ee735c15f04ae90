"""The planner in the cycle: what is queued, kept and judged again (semantics.md §20, policy.md §10, §21)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentl.runtime.machine import Machine
from agentl.runtime.snapshot import state_from_data, state_to_data
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import agent, play
from tests.runtime.world import Script, World

AISLE = """BELIEF { aisle.state: blocked }
TOOL nudge { REQUIRES { aisle.state != clear AND pallet.scuffed != yes } COST 2 DURATION 20s
    OUTCOME freed WITH 60% { aisle.state = clear } OUTCOME stuck WITH 40% { pallet.scuffed = yes } }
TOOL forklift { REQUIRES { aisle.state != clear } COST 9 DURATION 3min EFFECT { aisle.state = clear } }
UTILITY { aisle.state == clear VALUE 50 pallet.scuffed == yes VALUE -5 }
PLANNER { ACHIEVE aisle.state == clear MAX_DEPTH 3 }"""
TOOLS: dict[str, Any] = {"nudge": {}, "forklift": {}}


def test_the_worked_example_is_planned_and_run() -> None:
    played = play(AISLE, tools=TOOLS)
    (made,) = played.machine.trace.of_kind("PLANNER")
    assert made.render() == ("[1] PLANNER __synth_t1: nudge(), forklift() (P=1.0 cost=5.6 duration=200.0 score=42.4)")
    assert [name for name, _ in played.world.calls] == ["nudge", "forklift"]
    assert played.lines("PLAN") == ["PLAN __synth_t1 queued (planner)", "PLAN __synth_t1 started (attempt 1)"]
    assert played.lines("VERIFY_OK") == ["VERIFY_OK aisle.state == clear"]
    assert played["planner.exhausted"] is False
    assert played.counted() == {"plans_synthesized": 1, "tool_calls": 2, "verify_pass": 1}
    assert played.machine.state.synthesised == {}


def test_requires_is_tested_again_when_the_step_comes() -> None:
    body = f"OBSERVE {{ aisle.state }} {AISLE}"
    readings = Script(Symbol("blocked"), Symbol("blocked"), Symbol("clear"))
    played = play(body, tools=TOOLS, sensors={"aisle.state": readings})
    assert [name for name, _ in played.world.calls] == ["nudge"]
    assert "requires" in played.names("INFO") and played.names("VERIFY_OK") == ["verified"]


def test_calls_and_verify_say_where_they_come_from() -> None:
    machine, world = Machine(agent(AISLE)), Nodes(tools=TOOLS)
    world.tick(machine)
    assert world.nodes == ["/planner", "/planner"]


class Nodes(World):
    nodes: list[str]

    def act(self, machine: Machine, act: Any) -> Any:
        self.nodes = [*getattr(self, "nodes", []), act.node]
        return super().act(machine, act)


def test_a_partial_plan_is_announced_and_used() -> None:
    played = play(f"{AISLE} POLICY {{ NEVER forklift }}", tools=TOOLS)
    assert played.names("PLANNER") == ["excluded", "partial"]
    assert "forklift excluded (never: " in played.lines("PLANNER")[0]
    assert [name for name, _ in played.world.calls] == ["nudge"]
    assert played.names("VERIFY_FAIL") == ["refuted"]


def test_a_failed_plan_is_retried_by_the_handler_and_keeps_its_name() -> None:
    played = play(f"{AISLE} POLICY {{ NEVER forklift }} ON VERIFY.FAIL {{ RETRY 2 SET x = 1 }}", tools=TOOLS)
    assert [name for name, _ in played.world.calls] == ["nudge"] * 3
    assert played.names("RETRY") == ["again"] * 2 and played["x"] == 1
    assert played["still_failed"] is True


GOAL = """OBSERVE { order.id } GOAL g { order.paid == yes }
TOOL pay { INPUT { id: String BIND order.id } EFFECT { order.paid = yes } } PLANNER { }"""


@pytest.mark.parametrize(
    ("rule", "calls"),
    [
        ("", 1),
        ("NEVER pay WHEN UNTRUSTED(id)", 0),
        ("NEVER pay WHEN UNTRUSTED(id) AND NOT ATTESTED(id, check)", 0),
        ("NEVER pay WHEN LLM_DERIVED(action)", 1),
        ("DENY pay WHEN action.args.id == 42", 1),
    ],
)
def test_arguments_keep_the_labels_they_were_bound_with(rule: str, calls: int) -> None:
    body = f"{GOAL} TOOL check {{ INPUT {{ id: String }} }} POLICY {{ {rule} }}"
    played = play(body, sensors={"order.id": untrusted("42")}, tools={"pay": {}})
    assert len(played.world.calls) == calls
    if calls:
        assert played.world.crossings[-1][3] == {
            "$control": ["RUNTIME"],
            "id": ["EXTERNAL", "OBSERVED", "RUNTIME"],
        }


def test_an_attested_value_can_be_planned_with() -> None:
    body = f"""{GOAL} TOOL check {{ INPUT {{ id: String }} }}
        POLICY {{ NEVER pay WHEN UNTRUSTED(id) AND NOT ATTESTED(id, check) }}
        LOOP {{ OBSERVE UPDATE_BELIEFS check(order.id) SELECT_PLAN EXECUTE }}"""
    played = play(body, sensors={"order.id": untrusted("42")}, tools={"pay": {}, "check": {}})
    assert [name for name, _ in played.world.calls] == ["check", "pay"]


def test_policy_judges_the_call_again_when_it_runs() -> None:
    """The state can be another one by then."""
    body = f"""{GOAL} BELIEF {{ shop.open: yes }} POLICY {{ NEVER pay WHEN shop.open != yes }}
        LOOP {{ OBSERVE UPDATE_BELIEFS SELECT_PLAN SET shop.open = no EXECUTE }}"""
    played = play(body, sensors={"order.id": "42"}, tools={"pay": {}})
    assert played.names("PLANNER") == ["planned"] and played.world.calls == []
    assert played["last_action.blocked"] is True


def test_exhausted_only_when_a_goal_is_unmet_and_nothing_reaches_it() -> None:
    unmet = play(f"{GOAL} POLICY {{ NEVER pay }}", sensors={"order.id": "42"})
    assert unmet["planner.exhausted"] is True and unmet.label("planner.exhausted") == {"RUNTIME"}
    assert unmet.names("PLANNER") == ["excluded", "exhausted"]
    for body in ("GOAL g { 1 == 1 } PLANNER { }", "PLANNER { }", f"{GOAL} BELIEF {{ order.paid: yes }}"):
        assert play(body, sensors={"order.id": "42"})["planner.exhausted"] is False
    assert play("GOAL g { a.b == 1 } PLANNER { }")["planner.exhausted"] is True


def test_exhausted_keeps_its_value_when_a_plan_is_queued() -> None:
    body = (
        f"{GOAL} POLICY {{ NEVER pay }} BELIEF {{ n: 0 }} PLAN p WHEN n >= 1 {{ }} LOOP {{ SELECT_PLAN SET n = n + 1 }}"
    )
    played = play(body, ticks=2)
    assert played["planner.exhausted"] is True
    assert len(played.machine.trace.of_kind("PLANNER")) == 2, "tick 2 did not search"


def test_without_a_planner_nothing_is_planned() -> None:
    played = play("GOAL g { a.b == 1 } TOOL t { EFFECT { a.b = 1 } } LOOP { SYNTHESIZE SELECT_PLAN EXECUTE }")
    assert played.world.calls == [] and played["planner.exhausted"] is UNDEFINED


def test_synthesize_alone_runs_only_the_planner_step() -> None:
    body = f"{AISLE} EVENT ping {{ SET x = 1 }} LOOP {{ SYNTHESIZE EXECUTE }}"
    played = play(body, tools=TOOLS, events=[{"source": "ping"}])
    assert len(played.world.calls) == 2 and played["x"] is UNDEFINED


def test_the_planner_comes_before_the_models_choice() -> None:
    played = play(f"{AISLE} PLAN q {{ }} DECIDE {{ REASON {{ PRODUCE {{ x }} }} }}", tools=TOOLS)
    assert [crossing[0] for crossing in played.world.crossings] == ["drain", "invoke", "invoke"]


def test_an_approval_that_is_refused_is_planned_again_at_the_next_tick() -> None:
    body = """GOAL g { line.up == yes } TOOL reset { COST 1 EFFECT { line.up = yes } }
        TOOL cycle { COST 6 EFFECT { line.up = yes } }
        POLICY { REQUIRE APPROVAL FOR reset } PLANNER { APPROVAL_COST 2 }"""
    played = play(body, ticks=2, tools={"reset": {}, "cycle": {}})
    assert played.world.calls == [] and played.counted()["plans_synthesized"] == 2
    assert played.lines("PLAN")[-1].startswith("PLAN __synth_t2 started")
    dear = play(body.replace("APPROVAL_COST 2", ""), tools={"reset": {}, "cycle": {}})
    assert [name for name, _ in dear.world.calls] == ["cycle"]


def test_faults_of_conditions_are_traced_and_count_as_false() -> None:
    played = play('TOOL t { EFFECT { a.b = 1 } } PLANNER { ACHIEVE a.b == 1 AND "x" + 1 > 0 }', tools={"t": {}})
    assert "expression" in played.names("ERROR") and "PLANNER" in played.lines("ERROR")[0]
    assert played["planner.exhausted"] is True


def test_a_plan_that_waits_is_in_the_snapshot_and_in_the_digest() -> None:
    body = f"{GOAL} LOOP {{ EXECUTE OBSERVE UPDATE_BELIEFS SELECT_PLAN }}"
    worlds = [World(sensors={"order.id": untrusted("42")}, tools={"pay": {}}) for _ in range(2)]
    machine = Machine(agent(body))
    worlds[0].tick(machine)
    (call,) = machine.state.synthesised["__synth_t1"]
    assert (call.tool, call.args) == ("pay", {"id": "42"}) and "EXTERNAL" in call.labels["id"]
    data = json.loads(json.dumps(state_to_data(machine.state)))
    worlds[0].tick(machine)
    again = Machine(agent(body), state=state_from_data(data))
    worlds[1].tick(again)
    assert worlds[0].calls == worlds[1].calls == [("pay", {"id": "42"})]
    assert worlds[0].digests[1] == worlds[1].digests[0]
    assert set(machine.state.synthesised) <= {"__synth_t2"}


def test_what_waits_is_part_of_the_digest() -> None:
    from agentl.runtime.state import PlannedCall, State

    digests = set()
    for args, label in (({}, ()), ({"a": 1}, ()), ({"a": 1}, ("LLM",))):
        state = State()
        state.synthesised["p"] = [PlannedCall("t", args, dict.fromkeys(args, frozenset(label)))]
        digests.add(state.close_tick())
    assert len({*digests, State().close_tick()}) == 4


def test_a_program_cannot_name_a_synthesised_plan() -> None:
    played = play("PLAN p WHEN 1 == 1 { __synth_t1 }")
    assert played.names("ERROR") == ["unknown_plan"]
