"""Coverage of scenarios: what is reached, what is the whole, and that 100 % is never an accident (P-N4, P-N6)."""

from __future__ import annotations

import pytest

from agentl.scenarios.coverage import Coverage, percent
from agentl.scenarios.reports.coverage_text import render_coverage
from agentl.scenarios.reports.report import Report, play_suites
from agentl.scenarios.suite import suite_of

DESK = """\
AGENT desk {
  OBSERVE { claim.amount claim.open }
  TOOL pay { RISK LOW EFFECT { claim.paid = yes } }
  TOOL ask { RISK LOW }
  POLICY {
    NEVER pay WHEN claim.amount > 100
    NEVER pay WHEN claim.amount > 50
    ALLOW pay
    ALLOW ask
  }
  PLAN settle WHEN claim.open == yes { pay() }
  PLAN wait WHEN claim.open == no { ask() }
  EVENT bell { ask() }
  ON MESSAGE hello { ask() }
  %s
}
"""


def coverages(*scenarios: str) -> tuple[Coverage, ...]:
    suite = suite_of((DESK % "\n  ".join(scenarios)).encode(), "desk.agent")
    assert suite.state == "ready", suite.errors
    return Report(play_suites([suite])).coverages()


def missing(*scenarios: str) -> list[str]:
    (coverage,) = coverages(*scenarios)
    return [part.text for part in coverage.missing]


PAID = "SCENARIO paid { GIVEN { claim.amount = 20 claim.open = yes } EXPECT CALL pay }"
MUCH = "SCENARIO much { GIVEN { claim.amount = 200 claim.open = yes } EXPECT BLOCKED pay }"
SOME = "SCENARIO some { GIVEN { claim.amount = 70 claim.open = yes } EXPECT BLOCKED pay }"
BELL = "SCENARIO bell { GIVEN EVENT bell { } EXPECT CALL ask }"
HELLO = "SCENARIO hello { GIVEN MESSAGE hello FROM other { } EXPECT CALL ask }"
REST = "SCENARIO rest { GIVEN { claim.open = no } EXPECT CALL ask }"


def test_a_rule_is_reached_when_it_decides_and_not_when_another_one_speaks() -> None:
    rest = ["TOOL ask", "PLAN wait", "EVENT bell", "ON MESSAGE hello"]
    assert missing(MUCH) == ["NEVER pay WHEN claim.amount > 50", "ALLOW pay", "ALLOW ask", "TOOL pay", *rest]
    assert missing(SOME) == ["NEVER pay WHEN claim.amount > 100", "ALLOW pay", "ALLOW ask", "TOOL pay", *rest]
    assert missing(PAID) == [
        "NEVER pay WHEN claim.amount > 100",
        "NEVER pay WHEN claim.amount > 50",
        "ALLOW ask",
        *rest,
    ]


def test_together_they_reach_everything() -> None:
    assert missing(PAID, MUCH, SOME, BELL, HELLO, REST) == []
    assert percent(coverages(PAID, MUCH, SOME, BELL, HELLO, REST)) == 100


def test_an_agent_without_scenario_counts_with_nothing_reached() -> None:
    suites = [suite_of((DESK % "").encode(), "desk.agent"), suite_of((DESK % PAID).encode(), "tested.agent")]
    both = Report(play_suites(suites)).coverages()
    assert [len(each.missing) == len(each.parts) for each in both] == [True, False]
    assert (percent(both[:1]), percent(both[1:]), percent(both)) == (0, 30, 15)


@pytest.mark.parametrize("text", ["AGENT a { PLAN p { u( }", "AGENT a { PLAN p { u() } }"])
def test_what_cannot_be_played_has_no_coverage_at_all(text: str) -> None:
    assert percent(Report(play_suites([suite_of(text.encode(), "a.agent")])).coverages()) is None


def test_the_share_is_rounded_down() -> None:
    (whole,) = coverages(PAID, MUCH, SOME, BELL, HELLO, REST)
    lacking = Coverage(whole.file, whole.agent, whole.parts, whole.reached - {("plan", "wait")})
    assert percent([whole] * 99) == 100
    assert percent([*[whole] * 99, lacking]) == 99


def test_what_a_planner_only_imagines_is_not_reached() -> None:
    program = """\
AGENT a {
  GOAL g { ACHIEVE lamp.on == yes }
  BELIEF { lamp.on = no }
  TOOL press { RISK LOW EFFECT { lamp.on = yes } }
  TOOL hammer { RISK LOW COST 9 EFFECT { lamp.on = yes } }
  POLICY { DEFAULT DENY ALLOW press ALLOW hammer }
  PLANNER { ACHIEVE lamp.on == yes }
  LOOP { OBSERVE EVALUATE_GOALS SYNTHESIZE EXECUTE }
  SCENARIO s { EXPECT { lamp.on == yes } }
}
"""
    (coverage,) = Report(play_suites([suite_of(program.encode(), "a.agent")])).coverages()
    assert [part.text for part in coverage.missing] == ["ALLOW hammer", "TOOL hammer"]


def test_the_text_names_what_is_missing_with_its_line() -> None:
    assert render_coverage(coverages(PAID, MUCH, SOME, BELL, HELLO)).splitlines() == [
        "coverage of desk.agent, agent desk: rules 4/4 · tools 2/2 · plans 1/2 · events 1/1 · messages 1/1",
        "  not reached: PLAN wait (line 12)",
        "coverage: 90 % (9 of 10)",
    ]
