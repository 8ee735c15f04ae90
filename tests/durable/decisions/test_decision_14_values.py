"""Decision 14: the program always sees the decoded form of what was written down (cases P-E5, P-E6, P-I4)."""

from __future__ import annotations

import math
from collections import OrderedDict
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.durable import RunOptions, Runtime
from agentl.durable.replaying import replay
from agentl.ir.program import Program
from agentl.values import Symbol, untrusted
from tests.durable.kit import Desk, Killed, World, host_of, lines, parsed

ASK = """\
AGENT DESK {
    OBSERVE { account.frozen }
    TOOL pay { INPUT { amount: Number  to: String }  OUTPUT { out: Anything }  RISK LOW }
    TOOL note { INPUT { text: String }  RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN work WHEN TRUE {
        pay(amount = 40, to = "Zürich")
        SET seen.value = pay.out
        SET seen.length = len(pay.out)
        IF pay.out == 1 THEN { SET seen.branch = one }
        IF "a" IN pay.out THEN { SET seen.branch = holds }
        IF pay.out THEN { SET seen.truth = yes }
        FOREACH part IN pay.out { SET seen.last = part }
        note(text = "after")
    }
    LOOP MAX 1 { OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE }
}
"""


class Shade(str):
    """A text subclass: its own nature is not kept."""


def outcome(runtime: Any) -> dict[str, str]:
    """What the program saw and where it went, as text, so that NaN equals itself."""
    state = runtime.state
    paths = ("pay.out", "seen.value", "seen.length", "seen.branch", "seen.truth", "seen.last", "tools.pay.in_doubt")
    return {path: repr(state.get(path)) for path in paths}


ENGINE_SHAPED = [
    {"return": 1, "x": 2},
    {"in_doubt": True},
    {"error": "e"},
    {"kind": "intent"},
    {"$sym": "no"},
    {"$dict": [["a", 1]]},
    {"$float": "nan"},
    {"value": {"$lab": [1, ["x"]]}},
    None,
    [],
    "",
    {},
    {"h": "0" * 64, "seq": 0},
]
LOSSY = [
    (1, 2),
    {1: "a"},
    date(2024, 2, 29),
    datetime(2024, 2, 29, 12, tzinfo=UTC),
    datetime(2024, 2, 29, 12, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    datetime(2024, 2, 29, 12),
    Decimal("1.10"),
    Decimal("NaN"),
    math.nan,
    -0.0,
    math.inf,
    {3, 1, 2},
    frozenset({"a"}),
    b"x",
    10**40,
    Symbol("no"),
    "no",
    untrusted({"a": [untrusted("b")]}),
    OrderedDict(b=1, a=2),
    Shade("ombre"),
    True,
    1,
    1.0,
    "é\u0301 🏦",
    {"a": {2: (Decimal("0"), {b"k"})}},
    object(),
    "\ud800",
    lambda: 1,
    type,
]


def derive_three_ways(result: Any) -> list[dict[str, str]]:
    """Live without journal, live with one, and derived again; a replay from the export must have the same trace."""
    wrapped = lambda: result  # noqa: E731
    plain = World({"pay": [wrapped]})
    found = [outcome(Runtime(parsed(ASK), host_of(plain)).run())]
    desk = Desk(ASK, World({"pay": [wrapped], "note": [Killed(), None]}))
    desk.process(host_of(desk.world))
    live = desk.process(host_of(desk.world))
    found.append(outcome(live.runtime))
    again = desk.process(host_of(desk.world))
    found.append(outcome(again.runtime))
    made = replay(Program.make(agents=(parsed(ASK),)), again.export())
    assert made.trace_text == live.trace_text()
    assert made.same_trace
    assert desk.world.count("pay") == 1
    return found


def check_same(result: Any) -> dict[str, str]:
    first, *others = derive_three_ways(result)
    assert others == [first, first]
    assert first["tools.pay.in_doubt"] == "False"
    return first


@pytest.mark.parametrize("value", [*ENGINE_SHAPED, *LOSSY], ids=lambda value: type(value).__name__)
def test_live_resumed_and_replayed_see_the_same(value: Any) -> None:
    check_same({"out": value})


@pytest.mark.parametrize("result", [*ENGINE_SHAPED, *LOSSY], ids=lambda value: type(value).__name__)
def test_a_whole_result_of_any_shape_is_no_word_of_the_engine(result: Any) -> None:
    assert check_same(result)["pay.out"] == "UNDEFINED"


def test_the_value_itself_arrives() -> None:
    """Guards the tests above: a value that never reached the program would be the same everywhere."""
    seen = check_same({"out": [3, Decimal("1.10"), "a"]})
    assert seen["pay.out"] == "[3, Decimal('1.10'), 'a']"
    assert (seen["seen.length"], seen["seen.branch"], seen["seen.last"]) == ("3", "holds", "a")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=3)
    | st.decimals()
    | st.dates()
    | st.builds(Symbol, st.sampled_from(["yes", "no", "open"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
        | st.tuples(inner, inner)
        | st.builds(untrusted, inner)
    ),
    max_leaves=6,
)


@settings(max_examples=25)
@given(VALUES)
def test_whatever_a_tool_returns(value: Any) -> None:
    check_same({"out": value})


@pytest.mark.parametrize("value", [object(), "\ud800", {"deep": [{"er": {1j}}]}])
def test_what_cannot_be_written_down_is_refused_with_type_or_place_when_it_is_recorded(value: Any) -> None:
    desk = Desk(ASK, World({"pay": [{"out": value}]}))
    run = desk.process(host_of(desk.world))
    assert desk.errors == ["ResultNotStorable"]
    assert len(lines(run, "ResultNotStorable")) == 1


def test_a_sensor_a_person_and_an_event_go_through_the_same_round_trip() -> None:
    text = """\
AGENT DESK {
    OBSERVE { account.frozen }
    PLAN work WHEN TRUE { ASK boss { QUESTION "how?" } SET seen.at = account.frozen }
    LOOP MAX 1 { OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE }
}"""
    desk = Desk(text, World(sensors={"account.frozen": (1, {2: Decimal("3.0")})}))
    host = host_of(desk.world)
    host.asker = lambda question, reason: (Decimal("1"), {3})
    host.emit("desk", amount=(1, 2), day=date(2024, 1, 1))
    live = desk.process(host)
    again = desk.process(host_of(desk.world))
    assert live.runtime is not None
    assert again.runtime is not None
    assert repr(live.runtime.state.get("seen.at")) == repr(again.runtime.state.get("seen.at"))
    assert live.trace_text() == again.trace_text()
    assert desk.world.reads == ["account.frozen"]


# --- too big (case P-I4)


def test_an_argument_larger_than_the_limit_is_refused_before_the_intent_every_time() -> None:
    desk = Desk(ASK.replace('"Zürich"', "account.frozen"), World(sensors={"account.frozen": "x" * 4000}))
    options = RunOptions(max_entry_bytes=1000)
    run = desk.process(host_of(desk.world), options=options)
    assert desk.world.count("pay") == 0
    assert desk.of_kind("intent")[0]["action_id"].endswith(":a1")
    assert len(lines(run, "BLOCKED")) == 1
    assert desk.process(host_of(desk.world), options=options).trace_text() == run.trace_text()


def test_a_result_at_the_limit_is_kept_and_one_byte_more_is_not() -> None:
    for size, errors in ((998, []), (999, ["ResultNotStorable"])):
        desk = Desk(ASK, World({"pay": ["x" * size]}))
        desk.process(host_of(desk.world), options=RunOptions(max_entry_bytes=1000))
        assert desk.errors == errors
