"""Expectations: what counts as an invariant, when they are looked at, what unknown means (scenario.md §6)."""

from __future__ import annotations

import pytest

from agentl.scenarios import monitors as module
from tests.scenarios.playing import forms, play


def lamp(body: str, expect: str, given: str = "lamp.on = no", more: str = "", within: int = 1) -> str:
    return f"""
        AGENT lamp {{
          {more}
          TOOL light {{ RISK LOW EFFECT {{ lamp.on = yes, lamp.hot = yes }} }}
          PLAN p WHEN 1 == 1 {{ STEP s {{ {body} }} }}
          SCENARIO s {{ GIVEN {{ {given} }} EXPECT {{ {expect} }} WITHIN {within} }}
        }}
    """


def test_each_expression_of_a_block_is_classified_on_its_own() -> None:
    result = play(lamp("light()", "lamp.on == yes, lamp.on IN [yes, no], lamp.hot == yes"))
    assert forms(result) == [("eventuality", True, 1), ("invariant", True, None), ("eventuality", True, 1)]


def test_an_expectation_is_an_eventuality_as_long_as_its_path_is_unknown() -> None:
    assert forms(play(lamp("light()", "lamp.on != red", given=""))) == [("eventuality", True, 1)]
    assert forms(play(lamp("light()", "lamp.on != red"))) == [("invariant", True, None)]


@pytest.mark.parametrize("expect", ["lamp.on == yes", "NOT lamp.on == yes", "NOT (lamp.on != yes)"])
def test_unknown_never_holds_also_not_under_not(expect: str) -> None:
    result = play(lamp("SET other.thing = yes", expect, given=""))
    assert forms(result) == [("eventuality", False, None)]


def test_what_is_known_decides_a_disjunction_whatever_is_unknown() -> None:
    result = play(lamp("SET lamp.red = no", "lamp.on == no OR lamp.hot == yes"))
    assert forms(result) == [("invariant", True, None)]


def test_an_eventuality_that_held_once_stays_satisfied() -> None:
    result = play(lamp("SET lamp.on = dim SET lamp.on = no", "lamp.on == dim", given="lamp.on = no", within=2))
    assert forms(result) == [("eventuality", True, 1)]


def test_an_invariant_that_broke_once_stays_broken_with_its_tick() -> None:
    body = "IF lamp.seen == yes THEN { SET lamp.on = dim SET lamp.on = no } SET lamp.seen = yes"
    result = play(lamp(body, "lamp.on == no", within=3))
    assert forms(result) == [("invariant", False, 2)]


def test_an_invariant_that_becomes_unknown_is_broken() -> None:
    result = play(lamp("SET lamp.on = nothing.at.all", "lamp.on == no OR lamp.on == dim"))
    assert forms(result) == [("invariant", False, 1)]


@pytest.mark.parametrize(
    "body",
    [
        "SET lamp.on = dim SET lamp.on = no",
        "IF 1 == 1 THEN { SET lamp.on = dim SET lamp.on = no }",
        "FOREACH x IN [1] { SET lamp.on = dim SET lamp.on = no }",
        "LOOP MAX 1 { SET lamp.on = dim SET lamp.on = no }",
        "VERIFY { 1 == 2, ON FAIL { SET lamp.on = dim SET lamp.on = no } }",
    ],
)
def test_monitors_look_after_every_statement_wherever_it_stands(body: str) -> None:
    assert forms(play(lamp(body, "lamp.on == no")))[0] == ("invariant", False, 1)
    assert forms(play(lamp(body, "lamp.on == dim")))[0] == ("eventuality", True, 1)


def test_monitors_look_between_the_effects_of_one_call() -> None:
    text = lamp("light()", "lamp.hot != yes OR lamp.on != yes, lamp.on == yes AND lamp.hot == no", "lamp.on = no")
    text = text.replace("GIVEN { lamp.on = no }", "GIVEN { lamp.on = no, lamp.hot = no }")
    assert forms(play(text)) == [("invariant", False, 1), ("eventuality", True, 1)]


def test_monitors_look_after_a_verify_that_failed() -> None:
    result = play("""
        AGENT door {
          OBSERVE { door.shut }
          TOOL shut { RISK LOW EFFECT { door.shut = yes } }
          PLAN p WHEN 1 == 1 { STEP s { SET door.shut = yes VERIFY door.shut == yes SET door.done = yes } }
          LOOP MAX 1 { SELECT_PLAN EXECUTE }
          SCENARIO s { GIVEN { door.shut = no } EXPECT { door.shut == yes } EXPECT { door.shut == no } }
        }
    """)
    assert ("eventuality", True, 1) in forms(result)


def test_monitors_look_after_every_phase() -> None:
    result = play("""
        AGENT door {
          OBSERVE { door.shut }
          TOOL shut { RISK LOW EFFECT { door.shut = yes, door.tried = yes } }
          BELIEF { door.tried = no }
          LOOP MAX 1 { OBSERVE UPDATE_BELIEFS }
          SCENARIO s { GIVEN { door.shut = no } EXPECT { door.shut == no AND CONFIDENCE(door.shut) > 0.5 } }
        }
    """)
    assert forms(result) == [("eventuality", True, 1)]


def test_the_points_are_statements_phases_effects_calls_and_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    plain = module.Monitors.look

    def counting(self: module.Monitors, scope: object = None) -> None:
        nonlocal looks
        looks += 1
        plain(self, scope)  # type: ignore[arg-type]

    monkeypatch.setattr(module.Monitors, "look", counting)
    play("""
        AGENT lamp {
          TOOL light { RISK LOW EFFECT { lamp.on = yes, lamp.hot = yes } }
          PLAN p WHEN 1 == 1 { STEP s { light() } }
          LOOP MAX 1 { SELECT_PLAN EXECUTE }
          SCENARIO s { EXPECT CALL light }
        }
    """)
    # two phases, one call, two effects, the tick
    assert looks == 2 + 1 + 2 + 1


KNOWN = """
    AGENT ship {{
      OBSERVE {{ mode }}
      TOOL dock {{ RISK LOW EFFECT {{ ship.docked = yes }} }}
      PLAN p WHEN 1 == 1 {{ STEP s {{ dock() }} }}
      SCENARIO s {{ GIVEN {{ {given} }} EXPECT {{ ship.docked == yes AND {test} }} }}
    }}
"""


@pytest.mark.parametrize(
    ("given", "test", "green"),
    [
        ("mode = auto", "mode == auto", True),
        ("", "mode == mode", False),
        ("", "mode != manual", False),
        ("", "NOT mode == manual", False),
        ("", "manual == manual", True),
    ],
)
def test_a_bare_name_the_agent_knows_is_a_path_and_undefined_while_unset(given: str, test: str, green: bool) -> None:
    assert (play(KNOWN.format(given=given, test=test)).status == "green") is green


def test_a_posed_belief_replaces_the_declared_one_with_full_confidence_before_expectations_are_classified() -> None:
    result = play("""
        AGENT lamp {
          BELIEF { lamp.on = yes CONFIDENCE 0.3 }
          TOOL light { RISK LOW EFFECT { lamp.on = yes } }
          SCENARIO s { GIVEN { lamp.on = no } EXPECT { lamp.on == no AND CONFIDENCE(lamp.on) == 1 } WITHIN 2 }
        }
    """)
    assert forms(result) == [("invariant", True, None)]
