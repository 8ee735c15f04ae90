"""Random programs and worlds for properties of the machine."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentl.values import Symbol, untrusted
from tests.runtime.world import InDoubt, Script, World

PATHS = ("a.b", "c.d", "n", "word", "t0.out", "last_action.blocked", "records", "x.y", "payload.k")
OBSERVED = ("a.b", "c.d", "e.f")

DECLARATIONS = """
BELIEF { n: 0  x.y: open CONFIDENCE 0.5 }
OBSERVE { a.b ON UNKNOWN ESCALATE  c.d WHEN n < 5 ON UNKNOWN DEGRADE 7  e.f }
MEMORY { LONG_TERM { records effect_drift } WRITE { WHEN n > 1 STORE { n a.b records } INTO LONG_TERM.records } }
TOOL t0 { INPUT { v } OUTPUT { out } SIDE_EFFECT { s.t } RISK LOW EFFECT { c.d = v } }
TOOL t1 { INPUT { v: Number } REQUIRES { e.f == 1 AND n < 9 } RISK HIGH EFFECT { e.f = 1 x.y = closed } }
TOOL t2 { OUTPUT { out: Number } }
POLICY { NEVER t0 WHEN a.b == 2  REQUIRE APPROVAL FOR t2 WHEN UNTRUSTED(action)  DENY t1 WHEN c.d == 3 }
"""

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
        ("t2()", "ghost(1)", "p0", "p1", "ESCALATE", "ROLLBACK", "RETRY", 'ASK boss { QUESTION "q" }', "nowhere")
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
        f"DECIDE {{ IF {draw(conditions)} THEN {{ {draw(bodies)} }} }}",
        f"ON VERIFY.FAIL {{ {draw(bodies)} }}",
    ]
    if draw(st.booleans()):
        phases = "OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN"
        parts.append(f"LOOP {{ {phases} {draw(bodies)} EXECUTE VERIFY UPDATE_MEMORY }}")
    return "\n".join(parts)


def _doubt(**args: Any) -> Any:
    raise InDoubt("lost")


def _boom(**args: Any) -> Any:
    raise OSError("down")


readings = st.lists(
    st.sampled_from((0, 1, 2, 3, None, True, Symbol("yes"), "text", OSError("probe"), untrusted(1))),
    min_size=1,
    max_size=6,
)
results = st.lists(st.sampled_from(({"out": 1}, {"out": "x", "more": 2}, None, _boom, _doubt)), min_size=1, max_size=5)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[dict[str, list[Any]], dict[str, list[Any]], bool]:
    """What sensors and tools say one after the other, and whether the approver agrees."""
    sensors = {path: draw(readings) for path in OBSERVED}
    tools = {name: draw(results) for name in ("t0", "t1", "t2")}
    return sensors, tools, draw(st.booleans())


def make_world(script: tuple[dict[str, list[Any]], dict[str, list[Any]], bool]) -> World:
    """A fresh world that says what the script says."""
    sensors, tools, agrees = script
    return World(
        sensors={path: Script(*items) for path, items in sensors.items()},
        tools={name: Script(*items) for name, items in tools.items()},
        answer=Script(Symbol("yes"), None),
        approver=lambda request: agrees,
        events=[{"source": "ping", "payload": {"k": 1, "n": 5}}, {"source": "other"}],
    )
