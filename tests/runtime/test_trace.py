"""Trace: structured events, rendered in one fixed form (host-api §14, decision 27)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import agentl.runtime
from agentl.runtime.trace import Trace, TraceEvent
from agentl.runtime.trace_texts import FORMS, render_call, render_value
from agentl.values import UNDEFINED, Symbol
from tests.runtime.programs import play
from tests.runtime.world import Script

KINDS = frozenset(
    [
        "TICK",
        "OBSERVE",
        "BELIEF",
        "GOAL",
        "PLAN",
        "STEP",
        "TOOL",
        "BLOCKED",
        "APPROVAL",
        "VERIFY_OK",
        "VERIFY_FAIL",
        "LLM",
        "MEMORY",
        "EVENT",
        "ASK",
        "DELEGATE",
        "ERROR",
        "INFO",
        "RETRY",
        "BAYES",
        "PLANNER",
        "MESSAGE",
        "SHARED",
        "POLICY",
    ]
)


def test_every_form_is_of_a_kind_of_the_reference() -> None:
    assert {kind for kind, _ in FORMS} <= KINDS


def test_every_event_the_runtime_logs_has_a_form_and_every_form_is_logged() -> None:
    logged: set[tuple[str, str]] = set()
    here = Path(agentl.runtime.__file__).parent
    # What drives several machines logs of them all.
    for file in (*here.rglob("*.py"), *(here.parent / "durable").rglob("*.py")):
        for kind, name in re.findall(r'log\(\s*"([A-Z_]+)",\s*"(\w+)"', file.read_text(encoding="utf-8")):
            logged.add((kind, name))
    computed = {("VERIFY_OK", "verified"), ("VERIFY_FAIL", "refuted"), ("APPROVAL", "pending"), ("APPROVAL", "granted")}
    computed |= {("MESSAGE", name) for name in ("received", "filtered", "dropped", "undelivered")}
    computed.add(("PLANNER", "planned"))
    assert logged | computed == set(FORMS)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"), (None, "None"), (UNDEFINED, "UNDEFINED"), (Symbol("s"), "s"), ("two words", "two words"),
        ("a\nb\x1b[0m", "a\\nb\\x1b[0m"), (2.0, "2.0"),
        ([1, "x"], "[1, x]"), ({"k": (1,)}, "{k: [1]}"), ({2, 1}, "{1, 2}"),
    ],
)  # fmt: skip
def test_values_render_in_one_line(value: Any, text: str) -> None:
    assert render_value(value) == text


def test_a_call_renders_as_name_and_arguments() -> None:
    assert render_call("transfer", {"amount": 40, "to": Symbol("alice")}) == "transfer(amount=40, to=alice)"


def event(**facts: Any) -> TraceEvent:
    return TraceEvent(3, "INFO", "set", facts, "A")


def test_text_and_detail_are_made_when_asked_for() -> None:
    made = TraceEvent(2, "TOOL", "succeeded", {"target": "t", "args": {"a": 1}, "risk": "HIGH", "result": {}})
    assert (made.text, made.detail, made.render()) == ("t(a=1)", "risk=HIGH", "[2] TOOL t(a=1) (risk=HIGH)")


def test_a_fact_that_looks_like_a_placeholder_is_not_filled_in() -> None:
    assert event(path="{value}", value="{path}").text == "{value} = {path}"


def test_the_digest_covers_facts_and_not_wording() -> None:
    def digest(made: TraceEvent) -> str:
        trace = Trace()
        trace.add(made)
        return trace.close_tick()

    plain = TraceEvent(1, "ERROR", "expression", {"where": "IF"}, "A", {"message": "one"})
    other = TraceEvent(1, "ERROR", "expression", {"where": "IF"}, "A", {"message": lambda: "two"})
    assert digest(plain) == digest(other)
    assert digest(event(path="x", value=1)) != digest(event(path="x", value=1.0))
    assert digest(event(path="x", value="s")) != digest(event(path="x", value=Symbol("s")))


def test_the_digest_runs_over_all_events_also_those_not_kept() -> None:
    kept, few = Trace(), Trace(keep=1)
    for trace in (kept, few):
        for number in range(5):
            trace.add(event(path="x", value=number))
    assert kept.close_tick() == few.close_tick() and (len(kept.events), len(few.events)) == (5, 1)


def test_an_argument_nobody_can_write_down_does_not_stop_the_digest() -> None:
    trace = Trace()
    trace.add(event(path="x", value=object()))
    assert len(trace.close_tick()) == 64


def test_a_sink_gets_every_event_and_its_exceptions_are_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    got: list[TraceEvent] = []

    def sink(made: TraceEvent) -> None:
        got.append(made)
        raise RuntimeError("full")

    trace = Trace(sink=sink, echo=True)
    trace.add(event(path="x", value=1))
    assert [made.text for made in got] == ["x = 1"] and capsys.readouterr().out == "[3] INFO x = 1\n"


def test_a_host_can_add_a_note() -> None:
    trace = Trace()
    trace.log(4, "INFO", "started by hand", "cron")
    assert trace.render() == "[4] INFO started by hand (cron)" and trace.of_kind("INFO") == trace.events


DESK = """GOAL done { ACHIEVE claim.state == paid }
    OBSERVE { claim.state  ledger.frozen ON UNKNOWN ESCALATE }
    MEMORY { LONG_TERM { incidents }
        WRITE { WHEN last_action.blocked == true STORE claim.state INTO LONG_TERM.incidents } }
    TOOL issue_refund { INPUT { order: String, amount: Number } OUTPUT { receipt: String }
        SIDE_EFFECT { bank.account } RISK HIGH EFFECT { claim.state = paid } }
    POLICY { NEVER issue_refund WHEN ledger.frozen == yes  REQUIRE APPROVAL FOR issue_refund WHEN amount > 30 }
    PLAN pay WHEN claim.state == open { STEP refund { issue_refund("ord-17", amount = 40) }
        STEP prove { VERIFY "paid out" { CONDITION claim.state == paid ON FAIL { RETRY 1 ESCALATE } } } }
    EVENT complaint { IF payload.level > 2 THEN { SET urgent = yes pay } }
    LOOP UNTIL goal.satisfied MAX 4 {
        OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN EXECUTE VERIFY UPDATE_MEMORY }"""
OPEN, PAID, NO, YES = Symbol("open"), Symbol("paid"), Symbol("no"), Symbol("yes")


def test_trace_of_a_payment_that_succeeds(snapshot: SnapshotAssertion) -> None:
    played = play(
        DESK, None, sensors={"claim.state": Script(OPEN, PAID), "ledger.frozen": NO},
        tools={"issue_refund": {"receipt": "R-99", "extra": 1}}, approver=lambda request: "yes",
        events=[{"source": "complaint", "payload": {"level": 3, "urgent": 1}}],
    )  # fmt: skip
    assert played.machine.trace.render() == snapshot


def test_trace_of_a_payment_that_is_forbidden_then_refused(snapshot: SnapshotAssertion) -> None:
    played = play(
        DESK, 3, sensors={"claim.state": OPEN, "ledger.frozen": Script(YES, None, NO)}, approver=lambda request: "sure"
    )
    assert played.machine.trace.render() == snapshot


def test_trace_of_a_payment_nobody_can_confirm(snapshot: SnapshotAssertion) -> None:
    def down(**args: Any) -> None:
        raise ConnectionError("bank closed")

    played = play(
        DESK, 2, sensors={"claim.state": Script(OPEN, OPEN, None), "ledger.frozen": NO},
        tools={"issue_refund": Script({"receipt": "R"}, down)}, approver=lambda request: True,
    )  # fmt: skip
    assert played.machine.trace.render() == snapshot


def test_each_tick_adds_only_its_own_events_to_the_digest() -> None:
    trace = Trace()
    trace.add(event(path="x", value=1))
    first = trace.close_tick()
    assert trace.close_tick() == first
    trace.add(event(path="x", value=2))
    assert trace.close_tick() != first and trace._pending == []
