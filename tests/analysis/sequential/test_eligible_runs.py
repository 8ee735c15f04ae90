"""What an eligible plan does in a real run: it asks for its calls, and for nothing else in the world."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agentl.analysis.sequential import reasons
from agentl.diagnostics import Source
from agentl.runtime.answers import Done
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.requests import Act, TickDone
from agentl.syntax.parser import parse
from tests.runtime.world import World

paths = st.sampled_from(
    ["x.y", "till.open", "order", "order.id", "look.n", "n", "urgency", "answer", "SHARED.k", "P(odd)"]
)
conditions = st.tuples(paths, st.sampled_from(["== 1", "!= 1", "== yes"])).map(" ".join)
usual = st.one_of(
    st.sampled_from(["look()", "look()", "pay(to = 1)", "SET x.y = 1", "SET till.open = yes", 'pay(to = "a")']),
    paths.map("SET x.y = {}".format),
    paths.map("pay(to = {})".format),
)
others = st.sampled_from(
    [
        *("IF x.y == 1 THEN look()", "OBSERVE", "q", "ESCALATE", "THEN { look() }", "VERIFY till.open == yes", "STOP"),
        *('REASON { TASK "?" PRODUCE { urgency: Number } }', "MESSAGE hello { TO desk }", "LOOP MAX 2 { look() }"),
        *("PARALLEL { BRANCH a { SET x.y = 1 } }", 'DELEGATE clerk { TASK "?" }', "FOREACH i IN order { look() }"),
        'ASK boss { QUESTION "?" }',
    ]
)
# What cannot be in a sequential plan is rare here, or hardly a program would be one.
statements = st.integers(0, 9).flatmap(lambda number: others if number == 0 else usual)


@st.composite
def programs(draw: st.DrawFn) -> str:
    few = draw(st.lists(statements, min_size=1, max_size=3))
    requires = draw(st.one_of(st.just(""), conditions.map("REQUIRES {}".format)))
    rule = draw(st.sampled_from(["", "NEVER pay WHEN", "REQUIRE APPROVAL FOR pay WHEN", "REQUIRE APPROVAL FOR * WHEN"]))
    guard = draw(st.one_of(conditions, st.sampled_from(["x.y == 1", "to == 1", "to == a"])))
    rules = f"{rule} {guard}" if rule else ""
    return f"""AGENT shop {{
      OBSERVE {{ till.open ON UNKNOWN ESCALATE  order }}
      BELIEF {{ {draw(st.sampled_from(["", "till.open = yes", "order = 1"]))} }}
      HYPOTHESIS odd {{ EVIDENCE {{ order.id == 1 }} }}
      TOOL look {{ OUTPUT {{ n: Number }} EFFECT {{ e.f = {draw(paths)} }} }}
      TOOL pay {{ INPUT {{ to: Any }} {requires} }}
      POLICY {{ DEFAULT ALLOW {rules} }}
      PLAN p {{ {" ".join(few)} {draw(st.sampled_from(["GIVE 1", "GIVE x.y", "STOP", "SET x.y = 2"]))} }}
      PLAN q {{ look() }}
    }}"""


@given(programs())
@settings(max_examples=60)
def test_an_eligible_plan_asks_for_its_calls_alone_and_ends(text: str) -> None:
    parsed = parse(Source(text))
    assert parsed.program is not None, text
    agent = parsed.program.agents[0]
    assume(not reasons(agent, "p", parsed))
    asked: list[object] = []
    world = World(tools={"look": {"n": 1}, "pay": {}}, approver=asked.append)
    machine = Machine(agent, MachineOptions())
    machine.begin_plan("p")
    step = machine.step(None)
    while not isinstance(step, TickDone):
        assert isinstance(step, Act) and step.kind == "invoke", text
        answer = world.reply(machine, step)
        assert asked == [], text
        if not isinstance(answer, Done):
            return
        step = machine.step(answer)
    assert machine.state.get("plans.p.ended") in ("given", "stopped"), text
