"""What GIVEN poses: values from top to bottom, in a world of their own (scenario.md §3)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.diagnostics import Source
from agentl.scenarios.faults import Fault
from agentl.scenarios.given import world_of
from agentl.syntax.parser import parse
from agentl.values import Symbol
from tests.scenarios.playing import codes, play


def given(block: str) -> dict[str, Any]:
    """The world that a GIVEN block makes."""
    text = f"AGENT a {{ TOOL t {{ RISK LOW }} SCENARIO s {{ GIVEN {{ {block} }} EXPECT CALL t }} }}"
    parsed = parse(Source(text))
    assert parsed.program is not None, parsed.diagnostics
    return world_of(parsed.program.agents[0].scenarios[0].given)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("2.5", 2.5),
        ("25%", 0.25),
        ("2min", 120.0),
        ('"B4"', "B4"),
        ("2026-01-31", "2026-01-31"),
        ("yes", Symbol("yes")),
        ("1 + 2 * 3", 7.0),
        ("-4", -4.0),
        ("1 / 0", float("inf")),
        ("[1, yes]", [1, Symbol("yes")]),
        ("max(2, 5)", 5),
        ("len([1, 2])", 2),
        ("2 > 1", True),
        ("NOT 2 > 1", False),
    ],
)
def test_a_value_is_what_is_written(written: str, value: Any) -> None:
    assert given(f"a.b = {written}") == {"a.b": value}


def test_a_bare_name_is_the_value_of_an_earlier_path_of_that_name_else_a_symbol() -> None:
    assert given("mode = auto, gear = mode") == {"mode": Symbol("auto"), "gear": Symbol("auto")}
    assert given("gear = mode, mode = auto") == {"gear": Symbol("mode"), "mode": Symbol("auto")}


def test_a_dotted_path_is_the_value_of_an_earlier_path_of_exactly_that_name() -> None:
    assert given("a.b = 2, c.d = a.b + 1") == {"a.b": 2, "c.d": 3.0}


def test_the_later_of_two_values_wins() -> None:
    assert given("a.b = 1, a.b = a.b + 1") == {"a.b": 2.0}


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("c.d", "`c.d` is not posed before it"),
        ("[1, c.d]", "`c.d` is not posed before it"),
        ("SHARED.k", "`SHARED.k` is not posed before it"),
        ("ring()", "`ring` is not a function of GIVEN"),
        ("P(h)", "`P` is not a function of GIVEN"),
        ("CONFIDENCE(x)", "`CONFIDENCE` is not a function of GIVEN"),
        ("web-07", "it is read as a subtraction (the symbol web is not a number); a word with a dash needs quotes"),
        ('"x" + 1', "it has no value (a text is not a number)"),
        ("max(1, yes)", "it has no value (max does not take a value of type int, the symbol yes)"),
    ],
)
def test_what_has_no_value_cannot_be_posed(written: str, reason: str) -> None:
    with pytest.raises(Fault) as found:
        given(f"a.b = {written}")
    assert found.value.text("en") == f"GIVEN a.b: {reason}"


def test_a_value_that_cannot_be_posed_turns_the_scenario_red_before_it_runs() -> None:
    result = play("""
        AGENT lamp {
          OBSERVE { room.id }
          TOOL light { RISK LOW EFFECT { lamp.on = yes } }
          SCENARIO s { GIVEN { room.id = web-07 } EXPECT { lamp.on == yes } }
        }
    """)
    assert result.status == "red"
    assert codes(result) == ["R201"]
    assert (result.ticks, result.trace) == (0, "")
    assert result.faults[0].text("en").startswith("GIVEN room.id: it is read as a subtraction")
    assert result.faults[0].text("fr").startswith("GIVEN room.id : c'est lu comme une soustraction")


def test_an_unknown_function_turns_the_scenario_red_only_if_check_lets_it_pass() -> None:
    result = play("""
        AGENT lamp {
          OBSERVE { room.id }
          TOOL light { RISK LOW EFFECT { lamp.on = yes } }
          SCENARIO s { GIVEN { room.id = CONFIDENCE(lamp.on) } EXPECT { lamp.on == yes } }
        }
    """)
    assert codes(result) == ["R201"]
