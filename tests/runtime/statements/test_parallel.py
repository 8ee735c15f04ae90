"""PARALLEL, GIVE, STOP: branches on copies of the state, joined in declaration order (decision 18)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentl.logic.scope import Belief
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Parallel, TickDone
from agentl.runtime.snapshot import state_from_data, state_to_data
from agentl.values import UNDEFINED, Symbol
from tests.runtime.programs import Played, agent, play
from tests.runtime.world import InDoubt, World


def both(body: str, ticks: int = 1, **world: Any) -> Played:
    """Run in declaration order and the other way round: nothing but the order of the calls may differ."""
    plain = play(body, ticks=ticks, **world)
    contrary = play(body, ticks=ticks, contrary=True, **world)
    assert state_to_data(contrary.machine.state) == state_to_data(plain.machine.state)
    assert contrary.world.digests == plain.world.digests
    assert contrary.lines() == plain.lines()
    return plain


TOOLS = (
    "TOOL s { INPUT { v } OUTPUT { out } SIDE_EFFECT { x.s } EFFECT { e.s = v } } TOOL t { INPUT { v } OUTPUT { out } }"
)
CALLS: dict[str, Any] = {"s": {"out": 1}, "t": {"out": 2}}


def test_branches_change_copies_and_their_changes_meet_at_the_join() -> None:
    played = both(
        f"""{TOOLS} BELIEF {{ n: 1 }} LOOP {{ PARALLEL {{
            BRANCH a {{ SET x = n s(n) SET seen_by_a = y }}
            BRANCH b {{ SET y = n + 1 t(y) SET seen_by_b = x }} }} SET z = x + y }}""",
        tools=CALLS,
    )
    assert (played["x"], played["y"], played["z"]) == (1, 2.0, 3.0)
    assert (played["seen_by_a"], played["seen_by_b"]) == (Symbol("y"), Symbol("x"))
    assert (played["s.out"], played["t.out"], played["x.s.dirty"]) == (1, 2, True)
    assert played.machine.state.beliefs["e.s"].value == 1
    assert played.counted() == {"tool_calls": 2}
    assert played.machine.state.attestations.keys() == {"1", "2.0"}


def test_paths_permits_and_the_request() -> None:
    body = f"""{TOOLS} PLAN pay WHEN 1 == 1 {{ LOOP MAX 2 {{ PARALLEL MAX 1 {{ BRANCH a {{ s(1) t(1) }}
        BRANCH b {{ PARALLEL {{ BRANCH c {{ t(1) }} }} t(1) }} }} }} t(1) }}"""
    played = both(body, ticks=2, tools=CALLS)
    ids = played.world.ids
    assert ids[:5] == [
        "r:A:t1:pay/0.a:a1",
        "r:A:t1:pay/0.a:a2",
        "r:A:t1:pay/0.b/pay/0.c:a1",
        "r:A:t1:pay/0.b:a1",
        "r:A:t1:pay/1.a:a1",
    ]
    assert ids[8] == "r:A:t1:a1" and "r:A:t2:pay/2.a:a1" in ids
    without_tick = [action.replace(":t1", "").replace(":t2", "") for action in ids]
    assert len(set(without_tick)) == len(ids), "keys do not hold the tick"


def test_the_driver_is_told_how_many_at_once() -> None:
    machine = Machine(agent("LOOP { PARALLEL MAX 2 { BRANCH a { } BRANCH b { } } }"))
    machine.begin_tick()
    request = machine.step(None)
    assert isinstance(request, Parallel)
    assert (request.limit, request.node) == (2, "/loop/body/0")
    assert [branch.path for branch in request.branches] == ["cycle/0.a", "cycle/0.b"]
    step = request.branches[0].machine.step(None)
    assert step == TickDone(1, "", "")


def test_two_branches_that_wrote_one_path_are_told_and_the_last_one_counts() -> None:
    played = both("LOOP { PARALLEL { BRANCH a { SET x = 1 SET z = 3 } BRANCH b { SET x = 2 SET z = 3 } } }")
    assert played["x"] == 2
    assert "INFO branches wrote [x] differently (the last one counts)" in played.lines("INFO")


def test_a_branch_stands_under_the_control_label_of_its_place() -> None:
    played = both(
        f"""{TOOLS} OBSERVE {{ a.b }}
        LOOP {{ OBSERVE IF a.b == 1 THEN {{ PARALLEL {{ BRANCH a {{ SET x = 1 s(2) }} }} }} }}""",
        sensors={"a.b": 1},
        tools=CALLS,
    )
    assert played.label("x") == {"DECLARED", "OBSERVED", "RUNTIME"}
    assert played.world.crossings[-1][3]["$control"] == ["DECLARED", "OBSERVED", "RUNTIME"]


def test_what_a_branch_removed_is_removed() -> None:
    played = both(
        """OBSERVE { a.b } BELIEF { a.b: 1 }
        LOOP { PARALLEL { BRANCH a { OBSERVE } BRANCH b { FOREACH v IN [1] { SET w = v } } } }""",
        sensors={"a.b": None},
    )
    assert played["a.b"] is UNDEFINED and played["v"] is UNDEFINED and played["w"] == 1
    assert played["sensors.a.b.available"] is False


def test_memory_records_shared_writes_and_drift_add_up() -> None:
    body = """MEMORY { LONG_TERM { r effect_drift } SHARED { k } WRITE { STORE { x } INTO LONG_TERM.r }
        WRITE { STORE { x } INTO SHARED.k } } OBSERVE { a.b } TOOL t { EFFECT { a.b = 1 } }
        LOOP { SET x = 0 UPDATE_MEMORY PARALLEL {
            BRANCH a { SET x = 1 UPDATE_MEMORY t() OBSERVE UPDATE_BELIEFS } BRANCH b { SET x = 2 UPDATE_MEMORY } } }"""
    played = both(body, sensors={"a.b": 2}, tools={"t": {}})
    assert [record["x"] for record in played["r"]] == [0, 1, 2] == [record["x"] for record in played["SHARED.k"]]
    assert (played["shared.k.version"], played["SHARED.k.version"]) == (3, 3)
    assert played["effect_drift"] == [{"tool": "t", "path": "a.b", "confirmed": 0, "refuted": 1}]
    assert played.counted()["shared_writes"] == 3


def boom(**args: Any) -> Any:
    raise OSError("down")


def doubt(**args: Any) -> Any:
    raise InDoubt("lost")


def test_failures_of_branches_make_one_row() -> None:
    body = "TOOL t { } LOOP { PARALLEL MAX 1 { BRANCH a { t() t() } BRANCH b { t() } } }"
    played = both(body, tools={"t": boom})
    assert played.machine.state.breakers["t"].failures == 3
    assert (played["tools.t.failures"], played["tools.t.available"]) == (3, False)
    good = {"t": iter([OSError(), None, None])}

    def once(**args: Any) -> Any:
        found = next(good["t"], None)
        if isinstance(found, Exception):
            raise found
        return {}

    assert play(body, tools={"t": once}).machine.state.breakers["t"].failures == 0


def test_doubt_in_one_branch_is_doubt_after_the_join() -> None:
    played = both(
        f"{TOOLS} LOOP {{ PARALLEL {{ BRANCH a {{ s(1) }} BRANCH b {{ t(1) }} }} }}", tools={**CALLS, "s": doubt}
    )
    assert played["tools.s.in_doubt"] is True and played["tools.t.in_doubt"] is False


def test_plans_queued_in_branches_wait_after_the_join_and_those_queued_before_run_once() -> None:
    body = """TOOL t { INPUT { v } } PLAN p { t(1) } PLAN q { t(2) }
        LOOP { p PARALLEL { BRANCH a { q EXECUTE } BRANCH b { q } } EXECUTE }"""
    played = both(body, tools={"t": {}})
    assert sorted(args["v"] for _, args in played.world.calls) == [1, 2, 2]


FAILING = """BELIEF {{ n: 0 }} TOOL t {{ INPUT {{ v }} }} PLAN p WHEN 1 == 1 {{ SET n = n + 1 PARALLEL {{
    BRANCH a {{ VERIFY {{ CONDITION n > {needed} ON FAIL {{ RETRY 1 SET handled = 1 }} }} SET after_a = 1 }}
    BRANCH b {{ t(n) SET after_b = 1 }} }} SET after = 1 }}"""


def test_a_branch_that_fails_fails_the_plan_when_all_have_ended() -> None:
    played = both(FAILING.format(needed=9), tools={"t": {}})
    assert [args["v"] for _, args in played.world.calls] == [1.0, 2.0], "the other branch ran to its end, twice"
    assert played["after_b"] == 1 and played["after"] is UNDEFINED
    assert (played["still_failed"], played["handled"]) == (True, 1)
    assert played["after_a"] is UNDEFINED
    assert played.names("RETRY") == ["again"]


def test_a_retry_may_succeed() -> None:
    played = both(FAILING.format(needed=1), tools={"t": {}})
    assert (played["after"], played["after_a"], played["still_failed"]) == (1, 1, UNDEFINED)


def test_give_ends_the_plan_with_a_result() -> None:
    played = play("TOOL t { } PLAN p WHEN 1 == 1 { FOREACH v IN [1 2] { GIVE v + 1 } t() }", tools={"t": {}})
    assert (played["plans.p.ended"], played["plans.p.result"]) == (Symbol("given"), 2.0)
    assert played.world.calls == [] and played["v"] is UNDEFINED
    assert played.lines("PLAN")[-1] == "PLAN p gives 2.0"
    assert played.label("plans.p.result") == {"DECLARED", "RUNTIME"}


def test_give_a_record_keeps_the_labels_of_its_fields() -> None:
    played = play(
        "EVENT ping { SET seen = payload.n } PLAN p WHEN 1 == 1 { GIVE { total = seen + 1 who = ann } }",
        events=[{"source": "ping", "payload": {"n": 1}}],
    )
    assert played["plans.p.result"] == {"total": 2.0, "who": Symbol("ann")} and played["plans.p.result.total"] == 2.0
    assert played.label("plans.p.result") >= {"EVENT", "DECLARED"}


def test_a_result_that_cannot_be_evaluated_is_undefined_and_traced() -> None:
    played = play('PLAN p WHEN 1 == 1 { GIVE "x" + 1 }')
    assert played["plans.p.ended"] == "given" and played["plans.p.result"] is UNDEFINED
    assert played.names("ERROR") == ["expression"]


def test_stop_ends_the_plan_without_a_result_and_the_next_plan_runs() -> None:
    played = play('PLAN p WHEN 1 == 1 { STOP "no money" SET x = 1 } PLAN q WHEN 1 == 1 { SET y = 1 }')
    assert (played["plans.p.ended"], played["plans.p.reason"], played["x"], played["y"]) == (
        Symbol("stopped"),
        "no money",
        UNDEFINED,
        1,
    )
    assert played.lines("PLAN")[3] == "PLAN p stops (no money)"


def test_a_plan_that_runs_again_has_not_ended() -> None:
    played = play("BELIEF { n: 0 } PLAN p WHEN 1 == 1 { SET n = n + 1 IF n == 1 THEN { GIVE n } }", ticks=2)
    assert played["plans.p.ended"] is UNDEFINED and played["plans.p.result"] is UNDEFINED


@pytest.mark.parametrize(
    ("first", "second", "ended"), [("GIVE 1", 'STOP "b"', "given"), ('STOP "a"', "GIVE 2", "stopped")]
)
def test_the_first_branch_that_ended_the_plan_says_how(first: str, second: str, ended: str) -> None:
    played = both(
        f"PLAN p WHEN 1 == 1 {{ PARALLEL {{ BRANCH a {{ {first} }} BRANCH b {{ {second} SET x = 1 }} }} SET y = 1 }}"
    )
    assert played["plans.p.ended"] == ended and played["y"] is UNDEFINED and played["x"] is UNDEFINED


def test_give_outside_a_plan_leaves_the_body() -> None:
    played = play("EVENT ping { GIVE 1 SET x = 1 } LOOP { SELECT_PLAN SET y = 1 }", events=[{"source": "ping"}])
    assert played["x"] is UNDEFINED and played["y"] == 1
    assert played.lines("PLAN") == ["PLAN event:0 gives 1"]


def test_a_plan_that_queues_itself_in_its_own_branches_is_bounded() -> None:
    played = play("BELIEF { n: 0 } PLAN p WHEN 1 == 1 { SET n = n + 1 PARALLEL { BRANCH a { p EXECUTE } } }")
    assert "nesting" in played.names("ERROR") and 1 < played["n"] < 200


def test_the_stacks_of_branches_can_be_written_down_at_every_request() -> None:
    body = f"""{TOOLS} PLAN p WHEN 1 == 1 {{ PARALLEL {{ BRANCH a {{ s(1) FOREACH v IN [1 2] {{ t(v) }} }}
        BRANCH b {{ PARALLEL {{ BRANCH c {{ t(3) VERIFY {{ CONDITION 1 == 2 ON FAIL {{ SET late = 1 }} }}
        }} }} }} }} }}"""
    plain = play(body, tools=CALLS)

    class Writing(World):
        main: Machine

        def reply(self, machine: Machine, request: Any) -> Any:
            top = self.main
            top.load_frames(json.loads(json.dumps(top.frames_to_data())))
            return super().reply(machine, request)

    world, machine = Writing(tools=CALLS), Machine(agent(body))
    world.main = machine
    world.tick(machine)
    assert world.calls == plain.world.calls and machine.state.digest == plain.machine.state.digest
    assert machine.state.get("late") == 1


def test_the_run_goes_on_from_a_snapshot_after_a_parallel() -> None:
    body = f"{TOOLS} LOOP {{ PARALLEL {{ BRANCH a {{ s(1) }} BRANCH b {{ t(2) }} }} }}"
    plain, resumed = World(tools=CALLS), World(tools=CALLS)
    machine = plain.run(agent(body), 3)
    again = Machine(agent(body))
    for _ in range(3):
        resumed.tick(again)
        again.until_holds()
        again = Machine(agent(body), state=state_from_data(json.loads(json.dumps(state_to_data(again.state)))))
    assert resumed.digests == plain.digests and resumed.ids == plain.ids
    assert again.state.parallels == machine.state.parallels == 3


def test_a_fork_shares_nothing_that_changes() -> None:
    from agentl.runtime.branching import copied

    state = Machine(agent("MEMORY { LONG_TERM { r } }")).state
    state.attest(1, "t")
    state.breaker("t")
    state.drift_of("t", "a")
    state.share("k", {"n": 1}, frozenset())
    before = json.dumps(state_to_data(state))
    branch = copied(state)
    branch.set_local("x", 1)
    branch.set_belief("b", Belief(1))
    branch.remember("LONG_TERM", "r", {"n": 1}, frozenset({"LLM"}))
    branch.attest(1, "u")
    branch.breaker("t").failures = 5
    branch.drift_of("t", "a").refuted = 5
    branch.share("k", {"n": 2}, frozenset())
    branch.escalated.add("p")
    branch.fresh.add("p")
    assert json.dumps(state_to_data(state)) == before
