"""How a scenario runs: bounds, early stop, stimuli, errors, and what it never touches (scenario.md §7, §8)."""

from __future__ import annotations

import builtins
import os
import random
import secrets
import socket
import subprocess
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from agentl.hosting import loading
from agentl.journal.clocks import SystemClocks
from tests.scenarios.playing import codes, forms, play, play_all, suite

COUNTER = """
    AGENT counter {{
      BELIEF {{ steps.done = 0 }}
      TOOL step {{ RISK LOW EFFECT {{ steps.done = steps.done + 1 }} }}
      PLAN p WHEN 1 == 1 {{ STEP s {{ step() }} }}
      {loop}
      SCENARIO s {{ {given} EXPECT {{ {expect} }} {assertion} {within} }}
    }}
"""
PHASES = "SELECT_PLAN EXECUTE"


def count(expect: str, *, loop: str = "", assertion: str = "", within: str = "", given: str = "") -> Any:
    return play(COUNTER.format(loop=loop, given=given, expect=expect, assertion=assertion, within=within))


@pytest.mark.parametrize(
    ("loop", "within", "ticks"),
    [
        ("", "", 1),
        ("", "WITHIN 3", 3),
        ("", "WITHIN 2.9", 2),
        ("", "WITHIN 5 WITHIN 4", 4),
        ("", "WITHIN 25", 10),
        (f"LOOP MAX 2 {{ {PHASES} }}", "WITHIN 5", 2),
        (f"LOOP MAX 5 {{ {PHASES} }}", "WITHIN 3", 3),
        (f"LOOP UNTIL steps.done == 2 MAX 5 {{ {PHASES} }}", "WITHIN 4", 2),
    ],
)
def test_the_bound_is_the_smaller_of_within_and_the_loop(loop: str, within: str, ticks: int) -> None:
    assert count("steps.done == 99", loop=loop, within=within).ticks == ticks


def test_it_stops_early_only_without_invariants_and_assertions() -> None:
    assert count("steps.done == 1", within="WITHIN 4").ticks == 1
    assert count("steps.done == 1", within="WITHIN 4", assertion="EXPECT CALL step").ticks == 4
    assert count("steps.done == 1, steps.done >= 0", within="WITHIN 4").ticks == 4
    assert count("steps.done == 1, steps.done == 3", within="WITHIN 4").ticks == 3


@pytest.mark.parametrize(
    ("assertion", "met"),
    [
        ("CALL step", True),
        ("NEVER CALL step", False),
        ("BLOCKED step", False),
        ("CALL idle", False),
        ("NEVER CALL idle", True),
        ("NO ERROR", True),
    ],
)
def test_assertions_about_calls(assertion: str, met: bool) -> None:
    text = COUNTER.replace("{loop}", "TOOL idle {{ RISK LOW }}")
    result = play(text.format(given="", expect="steps.done == 1", assertion=f"EXPECT {assertion}", within=""))
    assert forms(result)[1] == ("assertion", met, None)
    assert result.status == ("green" if met else "red")


@pytest.mark.parametrize(
    "refusal",
    [
        "POLICY { NEVER step }",
        "POLICY { DEFAULT DENY }",
        "POLICY { REQUIRE APPROVAL FOR step }",
        "POLICY { NEVER step WHEN nobody.knows == yes }",
    ],
)
def test_a_refused_call_is_blocked_and_no_call(refusal: str) -> None:
    result = count("steps.done == 0", loop=refusal, assertion="EXPECT BLOCKED step EXPECT NEVER CALL step")
    assert result.status == "green"


def test_arguments_that_cannot_be_copied_are_blocked() -> None:
    result = play("""
        AGENT a {
          TOOL t { RISK LOW INPUT { n: Number } }
          PLAN p WHEN 1 == 1 { STEP s { t(n = word + 1) } }
          SCENARIO s { EXPECT BLOCKED t EXPECT NEVER CALL t }
        }
    """)
    assert result.status == "green"


def test_requires_that_does_not_hold_is_neither_a_call_nor_blocked() -> None:
    result = play("""
        AGENT a {
          TOOL t { RISK LOW REQUIRES door.open == yes EFFECT { t.done = yes } }
          PLAN p WHEN 1 == 1 { STEP s { t() } }
          SCENARIO s { EXPECT BLOCKED t EXPECT NEVER CALL t }
        }
    """)
    assert forms(result) == [("assertion", False, None), ("assertion", True, None)]


EVENTS = """
    AGENT porter {{
      TOOL carry {{ RISK LOW EFFECT {{ bag.carried = yes }} }}
      EVENT bell.rung {{ WHEN payload.floor == 3  carry() }}
      {loop}
      SCENARIO s {{ GIVEN {{ bag.carried = no }} {stimuli} {expect} }}
    }}
"""


@pytest.mark.parametrize(("floor", "met"), [("3", True), ("1 + 2", True), ("4", False)])
def test_an_event_counts_when_its_handler_fired(floor: str, met: bool) -> None:
    stimuli = f"GIVEN EVENT bell.rung {{ floor = {floor} }}"
    result = play(EVENTS.format(loop="", stimuli=stimuli, expect="EXPECT EVENT bell.rung"))
    assert forms(result) == [("assertion", met, None)]
    assert codes(result) == []


def test_a_payload_sees_the_world_and_its_own_earlier_keys() -> None:
    stimuli = "GIVEN EVENT bell.rung { base = 2, floor = base + 1, was = bag.carried }"
    assert play(EVENTS.format(loop="", stimuli=stimuli, expect="EXPECT CALL carry")).status == "green"


def test_every_stimulus_is_delivered_once_in_order() -> None:
    stimuli = "GIVEN EVENT bell.rung { floor = 1 } GIVEN EVENT bell.rung { floor = 3 }"
    result = play(EVENTS.format(loop="", stimuli=stimuli, expect="EXPECT CALL carry WITHIN 3"))
    assert [line for line in result.trace.splitlines() if " EVENT " in line] == [
        "[1] EVENT bell.rung: WHEN does not hold ({floor: 1})",
        "[1] EVENT bell.rung ({floor: 3})",
    ]


@pytest.mark.parametrize(
    ("stimulus", "code", "text"),
    [
        ("GIVEN EVENT bell.rang { }", "R203", "GIVEN EVENT bell.rang: the agent has no EVENT for it"),
        ("GIVEN MESSAGE hello FROM desk { }", "R203", "GIVEN MESSAGE hello: the agent has no ON MESSAGE for it"),
        ("GIVEN EVENT bell.rung { floor = a.b }", "R202", "GIVEN EVENT bell.rung, key floor: `a.b` is not posed"),
    ],
)
def test_a_stimulus_that_cannot_be_delivered_is_red(stimulus: str, code: str, text: str) -> None:
    result = play(EVENTS.format(loop="", stimuli=stimulus, expect="EXPECT NEVER CALL carry"))
    assert codes(result) == [code]
    assert result.faults[0].text("en").startswith(text)
    assert result.ticks == 0


def test_a_stimulus_that_nothing_takes_is_red() -> None:
    loop = "LOOP MAX 1 { OBSERVE }"
    stimuli = "GIVEN EVENT bell.rung { floor = 3 }"
    result = play(EVENTS.format(loop=loop, stimuli=stimuli, expect="EXPECT NEVER CALL carry"))
    assert codes(result) == ["R204"]
    assert "RECEIVE" in result.faults[0].help("en")


def test_an_error_in_the_trace_is_red_whatever_was_expected() -> None:
    result = play("""
        AGENT a {
          TOOL t { RISK LOW EFFECT { t.done = yes } }
          PLAN p WHEN 1 == 1 { STEP s { t() SET x.y = word + 1 } }
          SCENARIO s { EXPECT { t.done == yes } EXPECT NO ERROR }
        }
    """)
    assert codes(result) == ["R211"]
    assert result.faults[0].text("en").startswith("ERROR in tick 1: EvalError")
    assert forms(result) == [("eventuality", True, 1), ("assertion", False, None)]


def test_an_exception_is_red_with_its_class_and_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentl.scenarios.world import World

    def fail(self: World, path: str) -> None:
        raise KeyboardInterruptLike("gone")

    class KeyboardInterruptLike(Exception):
        pass

    monkeypatch.setattr(World, "place", lambda self, state: (_ for _ in ()).throw(KeyboardInterruptLike("gone")))
    result = count("steps.done == 1")
    assert codes(result) == ["R212"]
    assert result.faults[0].text("en") == "broken off by KeyboardInterruptLike: gone"


def test_each_scenario_has_a_run_of_its_own() -> None:
    results = play_all("""
        AGENT counter {
          BELIEF { steps.done = 0 }
          TOOL step { RISK LOW EFFECT { steps.done = steps.done + 1 } }
          PLAN p WHEN 1 == 1 { STEP s { step() } }
          SCENARIO one { EXPECT { steps.done == 1 } }
          SCENARIO two { EXPECT { steps.done == 1 } EXPECT NEVER CALL step }
          SCENARIO three { GIVEN { steps.done = 5 } EXPECT { steps.done == 6 } }
        }
    """)
    assert [result.status for result in results.values()] == ["green", "red", "green"]


def test_other_agents_of_a_society_do_not_run() -> None:
    cases = suite("""
        AGENT one { TOOL t { RISK LOW EFFECT { t.done = yes } } PLAN p WHEN 1 == 1 { STEP s { t() } }
          SCENARIO s { EXPECT { t.done == yes } } }
        AGENT two { TOOL u { RISK LOW EFFECT { u.done = yes } } PLAN p WHEN 1 == 1 { STEP s { u() } }
          SCENARIO s { EXPECT { u.done == yes } } }
    """).cases
    results = [case.play() for case in cases]
    assert [(result.agent, result.name, result.status) for result in results] == [
        ("one", "s", "green"),
        ("two", "s", "green"),
    ]
    assert "u()" not in results[0].trace


def test_playing_twice_shows_the_same() -> None:
    (case,) = suite(COUNTER.format(loop="", given="", expect="steps.done == 3", assertion="", within="WITHIN 5")).cases
    assert case.play() == case.play()


def test_a_scenario_touches_no_host_no_network_no_clock_no_chance_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    text = COUNTER.format(loop="", given="", expect="steps.done == 3", assertion="", within="WITHIN 5")
    play(text)  # what Python imports and compiles is not what a scenario does
    (case,) = suite(text).cases

    def forbidden(*given: object, **named: object) -> Any:
        raise AssertionError(f"a scenario reached outside: {given} {named}")

    for owner, names in (
        (time, ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "clock_gettime", "sleep")),
        (socket, ("socket", "create_connection", "gethostname")),
        (subprocess, ("Popen", "run")),
        (threading.Thread, ("start",)),
        (random, ("random",)),
        (secrets, ("token_bytes", "token_hex")),
        (uuid, ("uuid4",)),
        (os, ("urandom", "open", "getpid")),
        (builtins, ("open",)),
        (Path, ("read_text", "read_bytes", "open")),
        (loading, ("load_host",)),
        (SystemClocks, ("wall_ms", "boot_s", "pause")),
    ):
        for name in names:
            monkeypatch.setattr(owner, name, forbidden)
    result = case.play()
    monkeypatch.undo()
    assert result.status == "green"
