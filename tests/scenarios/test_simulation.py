"""One tool call in a scenario: branch, effects, outputs (scenario.md §5)."""

from __future__ import annotations

import pytest

from tests.scenarios.playing import codes, forms, play


def coin(outcomes: str, given: str, expect: str = "EXPECT CALL toss", effect: str = "") -> str:
    return f"""
        AGENT coin {{
          TOOL toss {{ RISK LOW {effect} {outcomes} }}
          PLAN p WHEN 1 == 1 {{ STEP s {{ toss() }} }}
          SCENARIO s {{ GIVEN {{ {given} }} {expect} }}
        }}
    """


TWO = "OUTCOME up WITH 0.9 { toss.side = heads } OUTCOME down WITH 0.1 { toss.side = tails }"
ONE_POSSIBLE = "OUTCOME up WITH 0 { toss.side = heads } OUTCOME down WITH 1 { toss.side = tails }"
NONE_POSSIBLE = "OUTCOME up WITH 0 { toss.side = heads }"


@pytest.mark.parametrize("side", [("up", "heads"), ("down", "tails")])
def test_the_posed_branch_is_taken_whatever_its_probability(side: tuple[str, str]) -> None:
    branch, seen = side
    assert play(coin(TWO, f"scenario.outcome.toss = {branch}", f"EXPECT {{ toss.side == {seen} }}")).status == "green"


def test_a_text_names_a_branch_too() -> None:
    assert play(coin(TWO, 'scenario.outcome.toss = "down"', "EXPECT { toss.side == tails }")).status == "green"


def test_several_possible_branches_without_a_choice_are_ambiguous() -> None:
    result = play(coin(TWO, ""))
    assert codes(result) == ["R205"]
    assert result.faults[0].text("en") == "ambiguous outcome: a call of `toss` may end as up, down"
    assert result.faults[0].help("en") == "pose scenario.outcome.toss in GIVEN"


def test_the_only_possible_branch_needs_no_choice() -> None:
    assert play(coin(ONE_POSSIBLE, "", "EXPECT { toss.side == tails }")).status == "green"


@pytest.mark.parametrize("name", ["sideways", "up", "expected"])
def test_an_unknown_or_impossible_branch_is_red(name: str) -> None:
    result = play(coin(ONE_POSSIBLE, f"scenario.outcome.toss = {name}"))
    assert codes(result) == ["R206"]
    assert name in result.faults[0].text("en")


def test_a_tool_without_a_possible_branch_is_red() -> None:
    assert codes(play(coin(NONE_POSSIBLE, ""))) == ["R213"]
    assert codes(play(coin(NONE_POSSIBLE, "scenario.outcome.toss = up"))) == ["R206"]


def test_the_branch_of_a_tool_with_effects_is_called_expected() -> None:
    effect = "EFFECT { toss.side = edge }"
    posed = "scenario.outcome.toss = expected"
    assert play(coin("", posed, "EXPECT { toss.side == edge }", effect)).status == "green"
    assert codes(play(coin("", "scenario.outcome.toss = other", effect=effect))) == ["R206"]


def test_an_outcome_makes_effects_beside_it_void() -> None:
    result = play(coin(ONE_POSSIBLE, "", "EXPECT { toss.lost == yes }", "EFFECT { toss.lost = yes }"))
    assert result.status == "red" or "toss.lost" not in result.trace


def test_a_tool_without_branch_changes_nothing_and_is_called() -> None:
    result = play(coin("", "", "EXPECT CALL toss"))
    assert result.status == "green"
    assert [call.text for call in result.calls] == ["toss()"]


def test_effects_see_the_arguments_and_the_effects_before_them() -> None:
    result = play("""
        AGENT till {
          BELIEF { till.sum = 10 }
          TOOL add { RISK LOW INPUT { amount: Number }
                     EFFECT { till.sum = till.sum + amount, till.tax = till.sum / 10 } }
          PLAN p WHEN 1 == 1 { STEP s { add(amount = 5) } }
          SCENARIO s { EXPECT { till.sum == 15 AND till.tax == 1.5 } }
        }
    """)
    assert result.status == "green"


def test_an_effect_without_value_is_red() -> None:
    result = play("""
        AGENT till {
          TOOL add { RISK LOW EFFECT { till.sum = till.count } }
          PLAN p WHEN 1 == 1 { STEP s { add() } }
          SCENARIO s { EXPECT { till.sum == 15 } }
        }
    """)
    assert codes(result) == ["R207"]
    assert result.faults[0].text("en") == "the effect of `add` on `till.sum`: its value is undefined"
    assert result.failed


def test_an_effect_that_cannot_be_evaluated_is_red() -> None:
    result = play("""
        AGENT till {
          TOOL add { RISK LOW EFFECT { till.sum = open + 1 } }
          PLAN p WHEN 1 == 1 { STEP s { add() } }
          SCENARIO s { EXPECT { till.sum == 15 } }
        }
    """)
    assert codes(result) == ["R207"]
    assert "the symbol open is not a number" in result.faults[0].text("en")


GAUGE = """
    AGENT boiler {{
      TOOL gauge {{ RISK LOW OUTPUT {{ bar: Number, unit: Symbol }} {effect} }}
      PLAN p WHEN 1 == 1 {{ STEP s {{ gauge() SET seen.bar = result.gauge.bar SET seen.unit = gauge.unit }} }}
      SCENARIO s {{ GIVEN {{ {given} }} EXPECT {{ seen.bar == {bar} AND seen.unit == {unit} }} }}
    }}
"""


@pytest.mark.parametrize(
    ("given", "effect", "bar", "unit"),
    [
        ("gauge.bar = 2, gauge.unit = psi", "", 2, "psi"),
        ("bar = 3, unit = psi", "", 3, "psi"),
        ("gauge.bar = 2, bar = 3, unit = psi", "", 2, "psi"),
        ("unit = psi", "EFFECT { gauge.bar = 4 }", 4, "psi"),
        ("unit = psi", "EFFECT { bar = 5 }", 5, "psi"),
        ("bar = 6, unit = psi", "EFFECT { gauge.bar = 4 }", 6, "psi"),
    ],
)
def test_an_output_is_posed_by_its_full_name_its_bare_name_or_an_effect(
    given: str, effect: str, bar: int, unit: str
) -> None:
    assert play(GAUGE.format(given=given, effect=effect, bar=bar, unit=unit)).status == "green"


def test_every_declared_output_must_be_posed() -> None:
    result = play(GAUGE.format(given="gauge.bar = 2", effect="", bar=2, unit="psi"))
    assert codes(result) == ["R208"]
    assert result.faults[0].arguments == {"tool": "gauge", "output": "unit"}


def test_an_earlier_effect_poses_a_later_output() -> None:
    result = play("""
        AGENT shop {
          TOOL fill { RISK LOW EFFECT { count.items = 7 } }
          TOOL count { RISK LOW OUTPUT { items: Number } }
          PLAN p WHEN 1 == 1 { STEP s { fill() count() SET seen.items = count.items } }
          SCENARIO s { EXPECT { seen.items == 7 } }
        }
    """)
    assert result.status == "green"


def test_a_sensor_reads_what_effects_have_made_of_the_world() -> None:
    result = play("""
        AGENT door {
          OBSERVE { door.open }
          TOOL close { RISK LOW EFFECT { door.open = no } }
          PLAN p WHEN door.open == yes { STEP s { close() VERIFY door.open == no SET door.sure = yes } }
          SCENARIO s { GIVEN { door.open = yes } EXPECT { door.sure == yes } EXPECT NO ERROR WITHIN 2 }
        }
    """)
    assert result.status == "green"
    assert "VERIFY_OK door.open == no" in result.trace
    assert "[2] OBSERVE door.open = no" in result.trace


def test_an_effect_on_a_belief_replaces_the_belief_and_any_other_is_a_fact_of_the_world() -> None:
    result = play("""
        AGENT coin {
          BELIEF { toss.side = none }
          TOOL toss { RISK LOW OUTCOME up { toss.side = heads, toss.count = 1 } }
          PLAN p WHEN 1 == 1 { STEP s { toss() SET seen.sure = CONFIDENCE(toss.side) } }
          SCENARIO s { EXPECT { toss.side == heads AND toss.count == 1 AND seen.sure == 1 } }
        }
    """)
    assert result.status == "green"


def test_a_call_is_recorded_with_its_arguments_also_when_it_fails() -> None:
    result = play("""
        AGENT till {
          TOOL add { RISK LOW INPUT { amount: Number } OUTPUT { sum: Number } }
          PLAN p WHEN 1 == 1 { STEP s { add(amount = 5) } }
          SCENARIO s { EXPECT CALL add }
        }
    """)
    assert [(call.tick, call.tool, call.text) for call in result.calls] == [(1, "add", "add(amount=5)")]
    assert forms(result) == [("assertion", True, None)]
    assert codes(result) == ["R208"]
