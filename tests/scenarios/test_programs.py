"""The programs of scenario.md §10, each with its stated colour and with what turns it red."""

from __future__ import annotations

import pytest

from tests.scenarios.playing import codes, forms, play, play_all

EVENTUALITY = """
AGENT toaster {
  GOAL g { ACHIEVE toast.up == yes }
  OBSERVE { bread.in }
  TOOL pop { RISK LOW  EFFECT { toast.up = yes } }
  PLAN p WHEN bread.in == yes { STEP s { pop() } }
  SCENARIO morning { GIVEN { bread.in = yes } EXPECT { toast.up == yes } WITHIN 3 }
}
"""
INVARIANT = """
AGENT toaster {
  GOAL g { ACHIEVE toast.up == yes }
  OBSERVE { bread.in  child.near ON UNKNOWN ESCALATE }
  TOOL pop { RISK LOW  EFFECT { toast.up = yes } }
  POLICY { NEVER pop WHEN child.near == yes }
  PLAN p WHEN bread.in == yes { STEP s { pop() } }
  SCENARIO hands_off {
    GIVEN { bread.in = yes, child.near = yes, toast.up = no }
    EXPECT { toast.up != yes }  EXPECT NEVER CALL pop  EXPECT BLOCKED pop  WITHIN 2
  }
}
"""
NOT_AN_INVARIANT = """
AGENT toaster {
  GOAL g { ACHIEVE toast.up == yes }
  OBSERVE { bread.in }
  TOOL pop { RISK LOW  EFFECT { toast.up = yes } }
  PLAN p WHEN bread.in == yes { STEP s { pop() } }
  SCENARIO cold { GIVEN { bread.in = no } EXPECT { toast.up != yes } WITHIN 2 }
}
"""
OUTCOME = """
AGENT coin {
  GOAL g { ACHIEVE toss.side == heads }
  TOOL toss { RISK LOW  OUTCOME up WITH 0.5 { toss.side = heads }  OUTCOME down WITH 0.5 { toss.side = tails } }
  PLAN p WHEN 1 == 1 { STEP s { toss() } }
  SCENARIO unlucky { GIVEN { scenario.outcome.toss = down } EXPECT { toss.side == tails } }
}
"""
OUTPUT = """
AGENT boiler {
  GOAL g { ACHIEVE boiler.safe == yes }
  TOOL gauge { RISK LOW  OUTPUT { bar: Number } }
  PLAN p WHEN 1 == 1 { STEP s { gauge()  IF gauge.bar < 3 THEN { SET boiler.safe = yes } } }
  SCENARIO low { GIVEN { gauge.bar = 2 } EXPECT { boiler.safe == yes } }
}
"""
STIMULUS = """
AGENT porter {
  GOAL g { ACHIEVE bag.carried == yes }
  TOOL carry { RISK LOW  EFFECT { bag.carried = yes } }
  EVENT bell.rung { WHEN payload.floor == 3  carry() }
  ON MESSAGE guest_left { SET bag.carried = yes }
  SCENARIO third { GIVEN { bag.carried = no } GIVEN EVENT bell.rung { floor = 3 }
                   EXPECT EVENT bell.rung  EXPECT CALL carry  EXPECT { bag.carried == yes } }
  SCENARIO word  { GIVEN MESSAGE guest_left FROM desk { } EXPECT { bag.carried == yes }  EXPECT NEVER CALL carry }
}
"""
MODEL = """
AGENT valet {
  GOAL g { ACHIEVE car.parked == yes }
  OBSERVE { lot.free ON UNKNOWN ESCALATE }
  TOOL park { RISK LOW  INPUT { bay: String }  EFFECT { car.parked = yes } }
  POLICY { NEVER park WHEN UNTRUSTED(bay) AND lot.free != yes }
  PLAN p WHEN 1 == 1 { STEP s {
    REASON "pick a bay" { USING { lot.free } PRODUCE { choice: String DEFAULT "none" } }
    park(bay=choice) } }
  SCENARIO full { GIVEN { lot.free = no, choice = "B4", car.parked = no }
                  EXPECT { car.parked != yes }  EXPECT BLOCKED park  WITHIN 2 }
}
"""


def without(text: str, part: str) -> str:
    """The program without a part that must be in it."""
    assert part in text
    return text.replace(part, "")


def test_an_eventuality_is_satisfied_and_ends_the_run_early() -> None:
    result = play(EVENTUALITY)
    assert result.status == "green"
    assert forms(result) == [("eventuality", True, 1)]
    assert (result.ticks, result.bound) == (1, 3)
    assert [(call.tick, call.text) for call in result.calls] == [(1, "pop()")]


def test_an_invariant_holds_at_every_point_of_all_ticks() -> None:
    result = play(INVARIANT)
    assert result.status == "green"
    assert forms(result) == [("invariant", True, None), ("assertion", True, None), ("assertion", True, None)]
    assert result.ticks == 2
    assert result.calls == ()


def test_an_invariant_breaks_in_tick_1_without_its_rule() -> None:
    result = play(without(INVARIANT, "POLICY { NEVER pop WHEN child.near == yes }"))
    assert result.status == "red"
    assert forms(result) == [("invariant", False, 1), ("assertion", False, None), ("assertion", False, None)]
    assert [expected.text for expected in result.failed] == ["toast.up != yes", "NEVER CALL pop", "BLOCKED pop"]


def test_what_is_unknown_at_the_start_is_no_invariant() -> None:
    result = play(NOT_AN_INVARIANT)
    assert result.status == "red"
    assert forms(result) == [("eventuality", False, None)]
    assert result.ticks == 2


def test_a_posed_outcome_is_what_happens() -> None:
    assert play(OUTCOME).status == "green"


def test_an_outcome_is_never_guessed() -> None:
    result = play(without(OUTCOME, "GIVEN { scenario.outcome.toss = down }"))
    assert result.status == "red"
    assert codes(result) == ["R205"]
    assert result.faults[0].text("en").startswith("ambiguous outcome: ")
    assert [call.tool for call in result.calls] == ["toss"]


def test_a_posed_output_is_returned() -> None:
    assert play(OUTPUT).status == "green"


def test_an_output_that_is_not_posed_is_an_error() -> None:
    result = play(without(OUTPUT, "GIVEN { gauge.bar = 2 }"))
    assert result.status == "red"
    assert codes(result) == ["R208"]
    assert result.faults[0].text("en").startswith("output not posed: ")


def test_events_and_messages_are_delivered() -> None:
    results = play_all(STIMULUS)
    assert {name: result.status for name, result in results.items()} == {"third": "green", "word": "green"}
    assert forms(results["third"])[0] == ("eventuality", True, 1)


def test_the_policy_decides_over_what_a_model_is_said_to_answer() -> None:
    result = play(MODEL)
    assert result.status == "green"
    assert forms(result) == [("invariant", True, None), ("assertion", True, None)]
    assert "LLM pick a bay: {choice: B4}" in result.trace


@pytest.mark.parametrize("rule", ["POLICY { NEVER park WHEN UNTRUSTED(bay) AND lot.free != yes }"])
def test_the_model_scenario_is_red_without_its_rule(rule: str) -> None:
    assert play(without(MODEL, rule)).status == "red"
