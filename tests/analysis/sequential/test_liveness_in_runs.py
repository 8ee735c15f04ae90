"""Values that are not live are forgotten in the middle of a real run, and nothing that follows is any different."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.analysis.sequential import live_after
from agentl.diagnostics import Source
from agentl.ir.program import Agent
from agentl.ir.statements import Call
from agentl.runtime.answers import Done
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.requests import Act, TickDone
from agentl.syntax.parser import parse
from tests.runtime.world import World

STORES = ("locals", "world", "beliefs", "untrusted")

paths = st.sampled_from(
    [
        *("x.y", "x.y.z", "x", "w", "bel.ief", "eff.a", "eff.b"),
        *("look.n", "look.m", "n", "m", "result.look.n", "result.pay", "result", "pay.id", "id"),
        *("last_action.blocked", "tools.look.failures", "tools.pay.available", "shelf.dirty", "confidence"),
    ]
)
values = st.one_of(
    st.integers(0, 3).map(str),
    paths,
    st.tuples(paths, paths).map(" + ".join),
    paths.map("[{}, 1]".format),
    paths.map("CONFIDENCE({})".format),
)
sets = st.tuples(
    st.sampled_from(["x.y", "x.y.z", "x", "w", "bel.ief", "eff.a", "look.n", "n", "confidence"]), values
).map("SET {0[0]} = {0[1]}".format)
statements = st.one_of(sets, sets, st.just("look()"), values.map("pay(to = {})".format))
conditions = st.one_of(
    st.tuples(paths, st.integers(0, 3)).map("{0[0]} == {0[1]}".format),
    paths.map("UNTRUSTED({})".format),
    paths.map("CONFIDENCE({}) > 0.9".format),
    st.just("action.confidence < 1"),
    st.just("action.in_doubt == true"),
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    rules = " ".join(
        f"{draw(st.sampled_from(['NEVER', 'DENY']))} {draw(st.sampled_from(['pay', 'look', '*']))} WHEN {each}"
        for each in draw(st.lists(conditions, max_size=2))
    )
    requires = draw(st.sampled_from(["", f"REQUIRES NOT ({draw(conditions)})"]))
    body = " ".join(draw(st.lists(statements, min_size=2, max_size=8)))
    return f"""AGENT shop {{
      BELIEF {{ bel.ief = 1 }}
      TOOL look {{ OUTPUT {{ n: Number  m: Number }} SIDE_EFFECT {{ shelf }} EFFECT {{ eff.a = {draw(values)} }} }}
      TOOL pay {{ INPUT {{ to: Any }} {requires} OUTPUT {{ id: Number }} EFFECT {{ eff.b = {draw(values)} }} }}
      POLICY {{ DEFAULT ALLOW {rules} }}
      PLAN p {{ {body} GIVE [{draw(values)}, {draw(values)}] }}
    }}"""


@given(programs())
@settings(max_examples=120)
def test_a_run_that_forgets_what_is_not_live_goes_on_as_if_it_had_not(text: str) -> None:
    program = parse(Source(text)).program
    assert program is not None, text
    agent = program.agents[0]
    whole, calls = run(agent, None)
    for at in range(calls):
        assert run(agent, at)[0] == whole, (text, at)


def run(agent: Agent, forget_at: int | None) -> tuple[list[Any], int]:
    """Run the plan until it ends or a call does not succeed; before call number `forget_at` only live values stay."""
    count = iter(range(100))
    world = World(tools={"look": lambda: {"n": next(count), "m": next(count)}, "pay": lambda to: {"id": next(count)}})
    machine = Machine(agent, MachineOptions())
    machine.begin_plan("p")
    there = {(store, path) for store in STORES for path in getattr(machine.state, store)}
    calls = 0
    step = machine.step(None)
    while not isinstance(step, TickDone):
        assert isinstance(step, Act)
        if calls == forget_at:
            forget(machine, agent, step, there)
        calls += 1
        answer = world.reply(machine, step)
        if not isinstance(answer, Done):
            return [*world.crossings, type(answer).__name__], calls
        step = machine.step(answer)
    state = machine.state
    ended = [str(state.get("plans.p.ended")), repr(state.get("plans.p.result")), sorted(state.label("plans.p.result"))]
    return [*world.crossings, ended], calls


def forget(machine: Machine, agent: Agent, act: Act, there: set[tuple[str, str]]) -> None:
    """Drop all that the run has bound and nothing reads any more; the call under way is not done yet."""
    body = agent.plans[0].steps[0].body
    number = int(act.node.rsplit("/", 1)[1])
    assert isinstance(body[number], Call)
    live = live_after(agent, "p", number)
    for store in STORES:
        for path in [*getattr(machine.state, store)]:
            if path not in live and (store, path) not in there:
                machine.state.drop(store, path)
