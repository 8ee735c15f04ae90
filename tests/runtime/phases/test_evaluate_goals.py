"""EVALUATE_GOALS and VERIFY as a phase (semantics.md §9)."""

from __future__ import annotations

import pytest

from agentl.values import UNDEFINED
from tests.runtime.programs import play

LOOP = "LOOP { EVALUATE_GOALS }"


def test_scores_are_shares_of_conditions_and_a_weighted_mean() -> None:
    played = play(
        f"""BELIEF {{ a.x: 1 }}
        GOAL A {{ ACHIEVE a.x == 1 TARGET {{ a.x == 1 a.x == 2 }} WEIGHT 3 }}
        GOAL B {{ MAINTAIN a.x == 1 }} {LOOP}"""
    )
    assert played["goals.A.score"] == pytest.approx(2 / 3)
    assert played["goals.B.score"] == 1.0
    assert played["goal.score"] == pytest.approx(0.75)
    assert played["goal.satisfied"] is False
    assert played.lines("GOAL") == [
        "GOAL A: 0.666666666667 (ACHIEVE)",
        "GOAL B: 1.0 (MAINTAIN)",
        "GOAL goal.score = 0.75 (satisfied=false)",
    ]


@pytest.mark.parametrize("body", ["", "GOAL g { }"])
def test_nothing_to_reach_is_reached(body: str) -> None:
    played = play(f"{body} {LOOP}")
    assert played["goal.score"] == 1.0 and played["goal.satisfied"] is True


def test_a_total_weight_of_zero_divides_by_one() -> None:
    assert play(f"GOAL g {{ WEIGHT 0 }} {LOOP}")["goal.score"] == 0.0


def test_before_the_first_evaluation_scores_are_undefined() -> None:
    played = play("GOAL g { ACHIEVE a.b == 1 } LOOP { }".replace("{ }", "{ SET x = 1 }"))
    assert played["goal.score"] is UNDEFINED and played["goal.satisfied"] is UNDEFINED


def test_a_mean_of_ones_that_comes_out_just_under_one_is_satisfied() -> None:
    goals = "".join(f"GOAL g{i} {{ WEIGHT {weight} }}" for i, weight in enumerate((0.1, 0.2, 0.3, 0.7, 0.9, 1.1)))
    assert play(f"{goals} {LOOP}")["goal.satisfied"] is True


def test_a_condition_that_cannot_be_evaluated_is_false_and_traced() -> None:
    played = play(f'GOAL g {{ ACHIEVE "x" + 1 > 0 }} {LOOP}')
    assert played["goal.score"] == 0.0 and played.names("ERROR") == ["expression"]


def test_verify_as_a_phase_evaluates_the_goals_again() -> None:
    played = play("BELIEF { a.x: 1 } GOAL g { ACHIEVE a.x == 2 } LOOP { EVALUATE_GOALS SET a.x = 2 VERIFY }")
    assert played["goal.satisfied"] is True


def test_scores_carry_the_labels_of_their_conditions() -> None:
    played = play(
        "OBSERVE { a.b } GOAL g { ACHIEVE a.b == 1 } LOOP { OBSERVE UPDATE_BELIEFS EVALUATE_GOALS }", sensors={"a.b": 1}
    )
    for path in ("goals.g.score", "goal.score", "goal.satisfied"):
        assert played.label(path) == {"RUNTIME", "OBSERVED", "DECLARED"}
