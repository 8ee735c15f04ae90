"""The worked example of semantics.md §20.1 with every variant, and policy.md §21."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.planning.result import PlanningResult
from tests.planning.planners import planned, tools

AISLE = """
TOOL nudge    { REQUIRES { aisle.state != clear AND pallet.scuffed != yes }  COST 2  DURATION 20s
                OUTCOME freed WITH 60% { aisle.state = clear }
                OUTCOME stuck WITH 40% { pallet.scuffed = yes } }
TOOL forklift { REQUIRES { aisle.state != clear }  COST 9  DURATION 3min  EFFECT { aisle.state = clear } }
UTILITY { aisle.state == clear VALUE 50   pallet.scuffed == yes VALUE -5 }
"""
ACHIEVE = "ACHIEVE aisle.state == clear  MAX_DEPTH 3"
BLOCKED = {"aisle.state": "blocked"}
APPROVAL = "POLICY { REQUIRE APPROVAL FOR forklift }"


def aisle(bounds: str = "", policy: str = "") -> PlanningResult:
    return planned(f"{AISLE} PLANNER {{ {ACHIEVE} {bounds} }} {policy}", BLOCKED)


def shown(result: PlanningResult) -> tuple[Any, ...]:
    """The row of the table: plan, P(goal), cost, duration, E[U], score."""
    numbers = (result.probability, result.cost, result.duration, result.utility, result.score)
    return " ".join(tools(result)), *(float(f"{number:.12g}") for number in numbers)


def test_nudge_then_forklift_is_chosen() -> None:
    found = aisle()
    assert shown(found) == ("nudge forklift", 1, 5.6, 200, 48, 42.4)
    assert [step.firing for step in found.steps] == [1.0, 0.4]
    assert (found.partial, found.exhausted, found.satisfied, found.cut_off) == (False, False, False, False)


def test_nudge_alone_is_a_partial_plan() -> None:
    found = aisle(policy="POLICY { NEVER forklift }")
    assert shown(found) == ("nudge", 0.6, 2, 20, 28, 26.0)
    assert (found.partial, found.exhausted) == (True, False)


def test_forklift_alone_is_worth_41() -> None:
    assert shown(aisle(policy="POLICY { NEVER nudge }")) == ("forklift", 1, 9, 180, 50, 41.0)


def test_deadline_leaves_out_the_longer_plan() -> None:
    found = aisle("DEADLINE 190s")
    assert shown(found) == ("forklift", 1, 9, 180, 50, 41.0)
    assert [(out.tool, out.stage) for out in found.excluded] == [("forklift", "deadline")]


def test_plan_exactly_as_long_as_the_deadline_is_generated() -> None:
    assert tools(aisle("DEADLINE 200s")) == ["nudge", "forklift"]


@pytest.mark.parametrize(
    ("policy", "row"),
    [
        ("", ("nudge forklift", 1, 7.44, 200, 48, 40.56)),
        ("POLICY { NEVER nudge }", ("forklift", 1, 12.6, 180, 50, 37.4)),
        ("POLICY { NEVER forklift }", ("nudge", 0.6, 2.4, 20, 28, 25.6)),
    ],
)
def test_time_has_a_price(policy: str, row: tuple[Any, ...]) -> None:
    assert shown(aisle("TIME_WEIGHT 0.02", policy)) == row


def test_approval_has_a_price() -> None:
    found = aisle("APPROVAL_COST 10", APPROVAL)
    assert shown(found) == ("nudge forklift", 1, 9.6, 200, 48, 38.4)
    assert [(step.cost, step.approval) for step in found.steps] == [(2, False), (19, True)]
    alone = aisle("APPROVAL_COST 10 DEADLINE 190s", APPROVAL)
    assert shown(alone) == ("forklift", 1, 19, 180, 50, 31.0)


def test_never_that_is_true_in_a_branch_leaves_the_partial_plan() -> None:
    found = aisle(policy="POLICY { NEVER forklift WHEN aisle.state == blocked }")
    assert shown(found) == ("nudge", 0.6, 2, 20, 28, 26.0)
    assert [(out.tool, out.stage, out.rule) for out in found.excluded] == [
        ("forklift", "never", "NEVER forklift WHEN aisle.state == blocked")
    ]


POWER = """
TOOL reset_plc   { COST 1 EFFECT { line.state = running } }
TOOL cycle_power { COST 6 EFFECT { line.state = running } }
GOAL run { ACHIEVE line.state == running }
"""


@pytest.mark.parametrize(
    ("approval_cost", "never", "row"),
    [
        (10, "", ("cycle_power", 6)),
        (2, "", ("reset_plc", 3)),
        (10, "NEVER cycle_power WHEN mains.shared == yes", ("reset_plc", 11)),
        (2, "NEVER cycle_power WHEN mains.shared == yes", ("reset_plc", 3)),
        (10, "NEVER cycle_power WHEN mains.load > 3", ("reset_plc", 11)),  # unknown: nothing is known of mains.load
        (10, "NEVER * WHEN mains.shared == yes", ("", 0)),
    ],
)
def test_planner_weighs_an_approval_against_another_way(approval_cost: int, never: str, row: tuple[str, float]) -> None:
    body = f"{POWER} PLANNER {{ APPROVAL_COST {approval_cost} }} POLICY {{ REQUIRE APPROVAL FOR reset_plc {never} }}"
    found = planned(body, {"line.state": "stopped", "mains.shared": "yes"})
    assert (" ".join(tools(found)), found.cost) == row
    assert found.exhausted is (not row[0])
