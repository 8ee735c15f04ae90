"""Random programs and worlds for properties of the machine."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentl.runtime.answers import Answer, Value
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Post, Request
from agentl.values import Symbol, untrusted
from tests.runtime.model import Scripted
from tests.runtime.world import InDoubt, Script, World

PATHS = (
    *("a.b", "c.d", "n", "word", "t0.out", "last_action.blocked", "records", "x.y", "payload.k"),
    *("said", "judge.sure.p", "helper.k", "SHARED.s.count", "h.posterior", "reason.degraded", "planner.exhausted"),
)
OBSERVED = ("a.b", "c.d", "e.f")

DECLARATIONS = """
BELIEF { n: 0  x.y: open CONFIDENCE 0.5 }
OBSERVE { a.b ON UNKNOWN ESCALATE  c.d WHEN n < 5 ON UNKNOWN DEGRADE 7  e.f }
MEMORY { LONG_TERM { records effect_drift } WRITE { WHEN n > 1 STORE { n a.b records } INTO LONG_TERM.records }
    SHARED { s } WRITE { WHEN n > 0 STORE { n said h.posterior } INTO SHARED.s } }
TOOL t0 { INPUT { v } OUTPUT { out } SIDE_EFFECT { s.t } RISK LOW EFFECT { c.d = v } }
TOOL t1 { INPUT { v: Number } REQUIRES { e.f == 1 AND n < 9 } RISK HIGH EFFECT { e.f = 1 x.y = closed } }
TOOL t2 { OUTPUT { out: Number } }
TOOL t3 { INPUT { said } REQUIRES { x.y != closed } RISK LOW EFFECT { x.y = closed } }
HYPOTHESIS h { PRIOR 0.3 EVIDENCE { a.b == 1 LIKELIHOOD 0.9 GIVEN_NOT 0.2  said == yes } THRESHOLD 0.6 EXPLAINS e.x }
PLANNER { ACHIEVE x.y == closed MAX_DEPTH 2 MAX_NODES 20 }
POLICY { NEVER SEND a  NEVER t3 WHEN LLM_DERIVED(said)  DENY helper WHEN n == 2
    NEVER t0 WHEN a.b == 2  REQUIRE APPROVAL FOR t2 WHEN UNTRUSTED(action)  DENY t1 WHEN c.d == 3 }
"""

ORACLES = (
    "REASON { USING { a.b n said } PRODUCE { said: Symbol IN [no, yes] n: Number DEFAULT 1 any } }",
    "REASON { PRODUCE { said confidence: Number } }",
    'JUDGE { sure: NOUL "?" ABSTAIN BELOW 0.6 word: CHOICE "?" { a: "a" b: "b" } DEFAULT b }',
    "DELEGATE helper { INPUT { n said } EXPECT { k } }",
    "DELEGATE helper { }",
    "MESSAGE hi { TO A PAYLOAD { n: n said: said } }",
    "MESSAGE hi { BROADCAST PAYLOAD { k: a.b + 1 } }",
    "UPDATE_HYPOTHESES",
)

values = st.sampled_from(
    ("1", "2", "n", "n + 1", "a.b", "c.d", "word", '"text"', "t0.out", "[1 2 a.b]", "records", "payload.k")
)
conditions = st.one_of(
    st.builds("{} {} {}".format, st.sampled_from(PATHS), st.sampled_from(("==", "!=", "<", ">=")), values),
    st.sampled_from(("1 == 1", "1 == 2", "NOT a.b == 1", "UNTRUSTED(t0.out)", "CONFIDENCE(c.d) > 0.5", '"x" + 1 > 0')),
)
simple = st.one_of(
    st.builds("SET {} = {}".format, st.sampled_from(("n", "word", "a.b", "x.y")), values),
    st.builds("t0(v = {})".format, values),
    st.builds("t1({})".format, values),
    st.sampled_from(
        (
            *ORACLES,
            "t3(said)",
            "t2()",
            "ghost(1)",
            "p0",
            "p1",
            "ESCALATE",
            "ROLLBACK",
            "RETRY",
            'ASK boss { QUESTION "q" }',
            "nowhere",
        )
    ),
)


def _nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(" ".join)
    return st.one_of(
        st.builds("IF {} THEN {{ {} }} ELSE {{ {} }}".format, conditions, body, body),
        st.builds("LOOP UNTIL {} MAX 2 {{ {} }}".format, conditions, body),
        st.builds("FOREACH v IN {} MAX 2 {{ {} }}".format, values, body),
        st.builds("VERIFY {{ CONDITION {} ON FAIL {{ {} }} }}".format, conditions, body),
        st.builds("VERIFY {{ CONDITION {} ON FAIL {{ RETRY 1 {} }} }}".format, conditions, body),
        st.builds("THEN {{ {} }}".format, body),
        st.builds("PARALLEL {{ BRANCH a {{ {} }} BRANCH b {{ {} }} }}".format, body, body),
    )


statements = st.recursive(simple, _nest, max_leaves=6)
bodies = st.lists(statements, min_size=1, max_size=4).map(" ".join)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The body of an agent with two plans, an event handler, a rule, and a LOOP or the default cycle."""
    parts = [
        DECLARATIONS,
        f"PLAN p0 WHEN {draw(conditions)} {{ {draw(bodies)} }}",
        f"PLAN p1 {{ STEP one {{ {draw(bodies)} }} STEP two {{ {draw(bodies)} }} }}",
        f"EVENT ping {{ WHEN {draw(conditions)} {draw(bodies)} }}",
        f"DECIDE {{ IF {draw(conditions)} THEN {{ {draw(bodies)} }} REASON {{ PRODUCE {{ said: Symbol }} }} }}",
        f"ON MESSAGE hi {{ WHEN {draw(conditions)} {draw(bodies)} }}",
        f"ON VERIFY.FAIL {{ {draw(bodies)} }}",
    ]
    if draw(st.booleans()):
        phases = "RECEIVE OBSERVE UPDATE_BELIEFS UPDATE_HYPOTHESES EVALUATE_GOALS SELECT_PLAN"
        parts.append(f"LOOP {{ {phases} {draw(bodies)} EXECUTE VERIFY UPDATE_MEMORY }}")
    return "\n".join(parts)


def _doubt(*payload: Any, **args: Any) -> Any:
    raise InDoubt("lost")


def _boom(*payload: Any, **args: Any) -> Any:
    raise OSError("down")


readings = st.lists(
    st.sampled_from((0, 1, 2, 3, None, True, Symbol("yes"), "text", OSError("probe"), untrusted(1))),
    min_size=1,
    max_size=6,
)
results = st.lists(st.sampled_from(({"out": 1}, {"out": "x", "more": 2}, None, _boom, _doubt)), min_size=1, max_size=5)


anything = st.recursive(
    st.sampled_from((None, True, 0, 2.5, "yes", "text", Symbol("no"), float("nan"))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(("b", "k", "y", "out", "p")), inner, max_size=2)
    ),
    max_leaves=3,
)
FIELDS = ("said", "n", "any", "confidence", "sure", "word", "a", "x")
reasoned = st.one_of(anything, st.dictionaries(st.sampled_from(FIELDS), anything, max_size=4), st.just(OSError("net")))
judged = st.dictionaries(
    st.sampled_from(FIELDS),
    st.one_of(anything, st.fixed_dictionaries({"value": anything, "p": st.sampled_from((0.5, 0.7, 2, None))})),
    max_size=3,
)
plans = st.sampled_from((None, "p0", "p1", Symbol("p1"), "ghost", "__synth_t1", 5, OSError("net")))
delegated = st.one_of(
    st.dictionaries(st.sampled_from(("k", "n", "x.y", "out")), anything, max_size=3),
    st.sampled_from((None, 5, _boom, _doubt)),
)


@st.composite
def oracles(draw: st.DrawFn) -> dict[str, Any]:
    """What models and the sub-agent say one after the other."""
    kinds = {"reason": reasoned, "judge": judged, "plan": plans, "helper": delegated}
    return {kind: draw(st.lists(answers, min_size=1, max_size=4)) for kind, answers in kinds.items()}


WorldScript = tuple[dict[str, list[Any]], dict[str, list[Any]], bool, dict[str, Any]]


@st.composite
def worlds(draw: st.DrawFn) -> WorldScript:
    """What sensors, tools and oracles say one after the other, and whether the approver agrees."""
    sensors = {path: draw(readings) for path in OBSERVED}
    tools = {name: draw(results) for name in ("t0", "t1", "t2", "t3")}
    return sensors, tools, draw(st.booleans()), draw(oracles())


class Alone(World):
    """What the agent sends to its own name comes back to it."""

    def reply(self, machine: Machine, request: Request) -> Answer:
        if isinstance(request, Post) and request.to == machine.agent.name:
            self.crossings.append(("post", request.message, request.payload, request.to, request.broadcast))
            machine.state.deliver(request.message, machine.agent.name, request.payload)
            return Value(1)
        return super().reply(machine, request)


def make_world(script: WorldScript) -> World:
    """A fresh world that says what the script says."""
    sensors, tools, agrees, said = script
    return Alone(
        sensors={path: Script(*items) for path, items in sensors.items()},
        tools={name: Script(*items) for name, items in tools.items()},
        answer=Script(Symbol("yes"), None),
        model=Scripted(Script(*said["reason"]), Script(*said["judge"]), Script(*said["plan"])),
        subagents={"helper": Script(*said["helper"])},
        approver=lambda request: agrees,
        events=[{"source": "ping", "payload": {"k": 1, "n": 5}}, {"source": "other"}],
    )
