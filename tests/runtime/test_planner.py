"""AGENT-L 1.10's Planner: the worked example of semantics.md §20.1, from Python."""

from __future__ import annotations

from typing import Any

import pytest

from agentl import Planner, PlanningResult, Runtime, State, parse_source
from agentl.kernel.request import Decision
from agentl.values import UNDEFINED, Symbol
from tests.kernel.making import Saying
from tests.planning.test_worked_example import ACHIEVE, AISLE, shown

BOUNDS = f"PLANNER {{ {ACHIEVE} }}"


def planner(policy: str = "", decider: Any = None, bounds: str = BOUNDS) -> Planner:
    return Planner(parse_source(f"AGENT aisle {{ {AISLE} {bounds} {policy} }}").agents[0], decider)


def blocked() -> State:
    state = State()
    state.set_world("aisle.state", Symbol("blocked"), frozenset({"OBSERVED"}))
    return state


def test_the_plan_is_that_of_the_page_and_the_state_is_as_it_was() -> None:
    state = blocked()
    before = state.snapshot()
    found = planner().plan(state)
    assert isinstance(found, PlanningResult)
    assert shown(found) == ("nudge forklift", 1, 5.6, 200, 48, 42.4)
    assert state.snapshot() == before


def test_the_policy_is_the_agents_or_the_one_given() -> None:
    assert shown(planner("POLICY { NEVER nudge }").plan(blocked()))[0] == "forklift"
    nobody = planner(decider=Saying(Decision("DENIED", reason="no"))).plan(blocked())
    assert (nobody.steps, nobody.exhausted) == ((), True)


def test_the_local_confidence_is_that_of_the_actions() -> None:
    guarded = planner("POLICY { NEVER forklift WHEN confidence < 0.5 }")
    state = blocked()
    state.set_local("confidence", 0.4)
    assert shown(guarded.plan(state))[0] == "nudge"
    state.set_local("confidence", UNDEFINED)
    assert shown(guarded.plan(state))[0] == "nudge"
    state.set_local("confidence", 0.9)
    assert shown(guarded.plan(state))[0] == "nudge forklift"


def test_a_runtime_has_the_planner_of_its_agent() -> None:
    runtime = Runtime(planner().agent)
    runtime.state.set_world("aisle.state", Symbol("blocked"), frozenset({"OBSERVED"}))
    assert shown(runtime.planner.plan(runtime.state))[0] == "nudge forklift"
    assert runtime.planner.policy is runtime.policy


@pytest.mark.parametrize("bounds", ["", "GOAL g { ACHIEVE aisle.state == clear }"])
def test_an_agent_without_planner_is_searched_within_the_default_bounds(bounds: str) -> None:
    found = planner(bounds=bounds).plan(blocked())
    assert bool(found.steps) is bool(bounds)
