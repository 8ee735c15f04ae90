"""A scenario decides as a run does: the same gate, the same trace, labels that never trust more (P-L8)."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from agentl import Host, MockLLM, Runtime, Symbol
from agentl.ir.program import Agent
from agentl.scenarios.result import Result
from tests.scenarios.playing import forms, play, suite

PROGRAM = """
    AGENT keeper {{
      GOAL shut {{ ACHIEVE door.locked == yes }}
      OBSERVE {{ door.open  alarm.on }}
      TOOL lock {{ RISK HIGH INPUT {{ n: Number }} OUTPUT {{ code: Number }}
                   EFFECT {{ door.locked = yes, lock.last = n, lock.count = n + 1 }} }}
      {policy}
      PLAN p WHEN 1 == 1 {{ STEP s {{
        REASON "how often" {{ USING {{ door.open }} PRODUCE {{ times: Number IN [1, 9] DEFAULT 1 }} }}
        lock(n = times)
        IF lock.code == 7 THEN {{ SET door.sure = yes }} }} }}
      SCENARIO s {{ GIVEN {{ {given} lock.code = 7 }} EXPECT {{ door.locked == yes }} EXPECT NO ERROR WITHIN 2 }}
    }}
"""
POLICIES = [
    "",
    "POLICY { DEFAULT DENY }",
    "POLICY { NEVER lock }",
    "POLICY { NEVER lock WHEN door.open == yes }",
    "POLICY { NEVER lock WHEN NOT door.open == no }",
    "POLICY { NEVER lock WHEN UNTRUSTED(n) }",
    "POLICY { NEVER lock WHEN TRUSTED(n) }",
    "POLICY { NEVER lock WHEN UNTRUSTED(n) AND alarm.on != no }",
    "POLICY { NEVER lock WHEN tools.lock.failures > 0 }",
    "POLICY { DENY lock WHEN alarm.on == yes OR door.open == yes }",
    "POLICY { DENY * WHEN action.risk >= HIGH AND alarm.on == yes }",
    "POLICY { DEFAULT DENY ALLOW lock IF door.open == no }",
    "POLICY { DEFAULT DENY ALLOW lock IF alarm.on == no AND NOT UNTRUSTED(n) }",
    "POLICY { REQUIRE APPROVAL FOR lock }",
    "POLICY { REQUIRE APPROVAL FOR lock WHEN door.open == yes }",
    "POLICY { REQUIRE APPROVAL FOR lock WHEN n > 2 NEVER lock WHEN alarm.on == yes }",
]
WORLDS: list[dict[str, Any]] = [
    {},
    {"door.open": "no", "alarm.on": "no"},
    {"door.open": "yes", "alarm.on": "no", "times": 3, "operator.approval": "yes"},
    {"door.open": "no", "alarm.on": "yes", "times": 12, "operator.approval": 1},
]


def run_for_real(agent: Agent, posed: dict[str, Any]) -> Runtime:
    """The same program against an ordinary host that does what the program declares."""
    host = Host()
    for path in ("door.open", "alarm.on"):
        if path in posed:
            host.sensors[path] = lambda path=path: Symbol(posed[path])
    host.tools["lock"] = lambda n: {"code": 7}
    host.approver = lambda request: posed.get("operator.approval", False)
    answer = {"times": posed["times"]} if "times" in posed else {}
    return Runtime(agent, host, MockLLM({"how often": answer})).run(2)


@pytest.mark.parametrize("posed", WORLDS, ids=range(len(WORLDS)))
@pytest.mark.parametrize("policy", POLICIES)
def test_a_scenario_and_a_run_leave_the_same_trace(policy: str, posed: dict[str, Any]) -> None:
    given = "".join(f"{path} = {value}, " for path, value in posed.items())
    (case,) = suite(PROGRAM.format(policy=policy, given=given)).cases
    real = run_for_real(case.model.agent, posed)
    played = case.play()
    assert played.trace == real.trace.render()
    assert len(played.calls) == real.metrics["tool_calls"]


def test_these_worlds_see_every_verdict() -> None:
    seen = set()
    for policy in POLICIES:
        for posed in WORLDS:
            given = "".join(f"{path} = {value}, " for path, value in posed.items())
            trace = play(PROGRAM.format(policy=policy, given=given)).trace
            seen |= {word for word in ("TOOL lock", "(policy: ", "APPROVAL", "(approval: ") if word in trace}
    assert seen == {"TOOL lock", "(policy: ", "APPROVAL", "(approval: "}


def answered(given: str, guard: str, read: str) -> Result:
    return play(
        dedent("""
            AGENT desk {{
              TOOL look {{ RISK LOW OUTPUT {{ found: Symbol }} }}
              TOOL act {{ RISK LOW EFFECT {{ act.done = yes }} }}
              POLICY {{ NEVER act WHEN {guard} }}
              PLAN p WHEN 1 == 1 {{ STEP s {{
                {read}
                act() }} }}
              SCENARIO s {{ GIVEN {{ {given} }} EXPECT BLOCKED act }}
            }}
        """).format(given=given, guard=guard, read=read)
    )


REASON = 'REASON "pick" { USING { act.done } PRODUCE { bay: String } }'
DELEGATE = 'DELEGATE reader { TASK "read" EXPECT { verdict } }'


@pytest.mark.parametrize(
    ("given", "guard", "read"),
    [
        ("look.found = yes", "UNTRUSTED(look.found)", "look()"),
        ("found = yes", "UNTRUSTED(found)", "look()"),
        ("found = yes", "UNTRUSTED(found)", "SET a.b = c"),
        ('bay = "B4"', "LLM_DERIVED(bay)", REASON),
        ('bay = "B4"', "LLM_DERIVED(bay)", f"IF 1 == 2 THEN {{ {REASON} }}"),
        ('reason.bay = "B4"', "UNTRUSTED(reason.bay)", f"IF 1 == 2 THEN {{ {REASON} }}"),
        ("verdict = good", "UNTRUSTED(verdict)", DELEGATE),
        ("reader.verdict = good", "UNTRUSTED(reader.verdict)", f"IF 1 == 2 THEN {{ {DELEGATE} }}"),
    ],
)
def test_a_posed_answer_is_as_untrusted_as_an_answer(given: str, guard: str, read: str) -> None:
    assert answered(given, guard, read).status == "green"


def test_a_posed_sensor_value_is_trusted_also_when_a_tool_returns_one_of_that_name() -> None:
    result = play("""
        AGENT desk {
          OBSERVE { level }
          TOOL look { RISK LOW OUTPUT { level: Number } }
          TOOL act { RISK LOW }
          POLICY { NEVER act WHEN UNTRUSTED(level) }
          PLAN p WHEN 1 == 1 { STEP s { look() act() } }
          SCENARIO s { GIVEN { level = 3 } EXPECT CALL act }
        }
    """)
    assert result.status == "green"


def test_an_answer_that_was_dropped_is_not_read_from_what_was_posed() -> None:
    result = play("""
        AGENT door {
          TOOL open { RISK LOW EFFECT { door.open = yes } }
          PLAN p WHEN 1 == 1 { STEP s {
            JUDGE { USING { guest.chat } calm: NOUL "Is the guest calm?" ABSTAIN BELOW 0.8 }
            IF calm == yes THEN { open() } } }
          SCENARIO unsure { GIVEN { calm = yes, judge.calm.p = 0.5 } EXPECT NEVER CALL open }
        }
    """)
    assert result.status == "green", result.trace
    assert forms(result) == [("assertion", True, None)]


@pytest.mark.parametrize("refusal", ["POLICY { NEVER gauge }", "POLICY { REQUIRE APPROVAL FOR gauge }", "REQUIRES"])
def test_an_output_of_a_call_that_was_not_made_is_not_there(refusal: str) -> None:
    requires = "REQUIRES valve.open == yes" if refusal == "REQUIRES" else ""
    policy = refusal if refusal != "REQUIRES" else ""
    result = play(f"""
        AGENT boiler {{
          TOOL gauge {{ RISK LOW {requires} OUTPUT {{ bar: Number }} }}
          {policy}
          PLAN p WHEN 1 == 1 {{ STEP s {{ gauge()  IF gauge.bar < 3 THEN {{ SET boiler.safe = yes }} }} }}
          SCENARIO low {{ GIVEN {{ gauge.bar = 2 }} EXPECT {{ boiler.safe == yes }} }}
        }}
    """)
    assert forms(result) == [("eventuality", False, None)]


def test_a_posed_output_stands_for_an_earlier_call_until_the_tool_is_to_be_called() -> None:
    result = play("""
        AGENT boiler {
          TOOL gauge { RISK LOW OUTPUT { bar: Number } }
          PLAN p WHEN gauge.bar < 3 { STEP s { SET boiler.safe = yes } }
          SCENARIO low { GIVEN { gauge.bar = 2 } EXPECT { boiler.safe == yes } }
        }
    """)
    assert result.status == "green"
