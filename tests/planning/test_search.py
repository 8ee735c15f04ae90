"""Costs, bounds, bindings, merging, ties, and what there is to say when nothing is found."""

from __future__ import annotations

import pytest

from agentl.ir.program import Agent
from agentl.logic.scope import Belief
from agentl.planning.search import plan
from agentl.policy import PolicyEngine
from agentl.values import Symbol
from tests.planning.planners import observed, planned, problem, tools

DOOR = {"door.state": "shut", "lamp.state": "off"}
OPEN = "PLANNER { ACHIEVE door.state == open }"


@pytest.mark.parametrize(
    ("declared", "cost"),
    [
        ("RISK LOW", 1),
        ("", 1),
        ("RISK MEDIUM", 3),
        ("RISK HIGH", 8),
        ("RISK SEVERE", 15),
        ("RISK CRITICAL", 25),
        ("RISK UNKNOWN", 12),
        ("RISK odd", 5),
        ("RISK HIGH COST 2.5", 2.5),
        ("RISK HIGH COST 0", 0),
    ],
)
def test_step_costs_what_is_declared_or_what_its_risk_stands_for(declared: str, cost: float) -> None:
    found = planned(f"TOOL push {{ {declared} EFFECT {{ door.state = open }} }} {OPEN}", DOOR)
    assert (found.cost, found.score) == (cost, -cost)


def test_bounds_without_a_planner_are_the_defaults() -> None:
    found = problem("GOAL g { ACHIEVE door.state == open }")
    assert (found.max_depth, found.max_nodes, found.approval_cost, found.target_confidence, found.deadline) == (
        4,
        2000,
        10,
        1,
        None,
    )


def test_goals_are_conditions_and_targets_unless_the_planner_names_its_own() -> None:
    goals = "GOAL a { ACHIEVE x.y == 1 TARGET { z.w > 2 } } GOAL b { MAINTAIN v.u == 3 }"
    assert [goal.text for goal in problem(goals).goals] == ["x.y == 1", "z.w > 2", "v.u == 3"]
    assert [goal.text for goal in problem(f"{goals} PLANNER {{ ACHIEVE q.r == 1 }}").goals] == ["q.r == 1"]


def test_tool_without_effect_is_no_operator() -> None:
    assert [each.name for each in problem("TOOL a { } TOOL b { EFFECT { x.y = 1 } }").operators] == ["b"]


def test_outcomes_come_before_effects_and_are_made_to_add_up() -> None:
    outcomes = "OUTCOME p WITH 30% { x.y = 2 } OUTCOME q WITH 30% { x.y = 3 } OUTCOME r WITH 0 { }"
    (operator,) = problem(f"TOOL a {{ EFFECT {{ x.y = 1 }} {outcomes} }}").operators
    assert [(end.probability, [effect.text for effect in end.effects]) for end in operator.consequences] == [
        (0.5, ["x.y = 2"]),
        (0.5, ["x.y = 3"]),
    ]


def test_tool_whose_outcomes_cannot_happen_is_no_operator() -> None:
    assert problem("TOOL a { OUTCOME p WITH 0% { x.y = 2 } }").operators == ()


def test_satisfied_goal_asks_for_nothing_and_exhausts_nothing() -> None:
    found = planned(f"TOOL push {{ EFFECT {{ door.state = open }} }} {OPEN}", {"door.state": "open"})
    assert (found.steps, found.satisfied, found.exhausted, found.nodes) == ((), True, False, 0)


def test_without_goals_there_is_nothing_to_exhaust() -> None:
    found = planned("TOOL push { EFFECT { door.state = open } } PLANNER { }", DOOR)
    assert (found.steps, found.satisfied, found.exhausted) == ((), False, False)


def test_unmet_goal_that_nothing_reaches_is_exhausted() -> None:
    assert planned(OPEN, DOOR).exhausted
    assert planned(f"TOOL light {{ EFFECT {{ lamp.state = on }} }} {OPEN}", DOOR).exhausted


def test_goal_beyond_the_depth_is_exhausted_and_cut_off() -> None:
    body = """
    TOOL one { EFFECT { step.n = 1 } } TOOL two { REQUIRES { step.n == 1 } EFFECT { step.n = 2 } }
    TOOL three { REQUIRES { step.n == 2 } EFFECT { step.n = 3 } }
    """
    found = planned(f"{body} PLANNER {{ ACHIEVE step.n == 3 MAX_DEPTH 2 }}", {})
    assert (found.exhausted, found.cut_off) == (True, True)
    assert tools(planned(f"{body} PLANNER {{ ACHIEVE step.n == 3 MAX_DEPTH 3 }}", {})) == ["one", "two", "three"]


def test_nodes_are_bounded() -> None:
    body = "TOOL up { EFFECT { step.n = step.n + 1 } } PLANNER { ACHIEVE step.n == 50 MAX_DEPTH 60 MAX_NODES 20 }"
    found = planned(body, {"step.n": 0})
    assert (found.nodes, found.exhausted, found.cut_off) == (20, True, True)


def test_computed_effects_reach_a_count() -> None:
    body = "TOOL up { EFFECT { step.n = step.n + 1 } } PLANNER { ACHIEVE step.n == 3 }"
    assert tools(planned(body, {"step.n": 0})) == ["up"] * 3


def test_step_that_changes_nothing_is_dropped() -> None:
    body = f"TOOL rest {{ COST 0 EFFECT {{ lamp.state = off }} }} TOOL push {{ EFFECT {{ door.state = open }} }} {OPEN}"
    found = planned(body, DOOR)
    assert (tools(found), found.nodes) == (["push"], 1)


def test_first_of_two_equal_plans_is_chosen() -> None:
    pair = "TOOL {} {{ EFFECT {{ door.state = open }} }} TOOL {} {{ EFFECT {{ door.state = open }} }}"
    assert tools(planned(f"{pair.format('a', 'b')} {OPEN}", DOOR)) == ["a"]
    assert tools(planned(f"{pair.format('b', 'a')} {OPEN}", DOOR)) == ["b"]


def test_costs_that_differ_in_rounding_only_are_a_tie() -> None:
    body = """
    TOOL a { COST 0.1 EFFECT { x.a = 1 } } TOOL b { COST 0.2 EFFECT { x.b = 1 } } TOOL c { COST 0.3 EFFECT { x.c = 1 } }
    PLANNER { ACHIEVE x.a == 1 ACHIEVE x.b == 1 ACHIEVE x.c == 1 }
    """
    assert tools(planned(body, {})) == ["a", "b", "c"]


def test_deadline_is_not_missed_through_rounding() -> None:
    """Three tenths of a second add up to a little more than 0.3 as floats."""
    body = "TOOL up { DURATION 100ms EFFECT { step.n = step.n + 1 } } PLANNER { ACHIEVE step.n == 3 DEADLINE 300ms }"
    assert tools(planned(body, {"step.n": 0})) == ["up"] * 3


def test_slow_and_cheap_route_does_not_take_away_the_quick_one() -> None:
    """Both reach the lit lamp; only the quick one leaves time to push."""
    body = """
    TOOL slow  { COST 1 DURATION 50s EFFECT { lamp.state = on } }
    TOOL quick { COST 5 DURATION 10s EFFECT { lamp.state = on } }
    TOOL push  { COST 1 DURATION 30s REQUIRES { lamp.state == on } EFFECT { door.state = open } }
    """
    assert tools(planned(f"{body} PLANNER {{ ACHIEVE door.state == open DEADLINE 60s }}", DOOR)) == ["quick", "push"]
    assert tools(planned(f"{body} {OPEN}", DOOR)) == ["slow", "push"]


def test_long_and_cheap_route_does_not_take_away_the_short_one() -> None:
    """The walk reaches the middle first and for nothing, but only the ride leaves a step for the door."""
    body = """
    TOOL walk_a { COST 0 REQUIRES { way.part == 0 } EFFECT { way.part = 1 } }
    TOOL walk_b { COST 0 REQUIRES { way.part == 1 } EFFECT { way.part = 2 } }
    TOOL walk_c { COST 0 REQUIRES { way.part == 2 } EFFECT { way.part = 3 } }
    TOOL board  { COST 5 REQUIRES { way.part == 0 } EFFECT { way.part = 9 } }
    TOOL ride   { COST 5 REQUIRES { way.part == 9 } EFFECT { way.part = 3 } }
    TOOL push   { COST 1 REQUIRES { way.part == 3 } EFFECT { door.state = open } }
    """
    state = {**DOOR, "way.part": 0}
    short = planned(f"{body} PLANNER {{ ACHIEVE door.state == open MAX_DEPTH 3 }}", state)
    assert tools(short) == ["board", "ride", "push"]
    assert tools(planned(f"{body} {OPEN}", state)) == ["walk_a", "walk_b", "walk_c", "push"]


def test_best_is_looked_into_first() -> None:
    """Ten tools that lead nowhere: level by level the bound would be used up before the three goals are met."""
    nowhere = " ".join(f"TOOL idle{number} {{ EFFECT {{ idle.n{number} = 1 }} }}" for number in range(10))
    good = " ".join(f"TOOL do{number} {{ COST 0.5 EFFECT {{ done.n{number} = 1 }} }}" for number in range(3))
    goals = " ".join(f"ACHIEVE done.n{number} == 1" for number in range(3))
    found = planned(f"{nowhere} {good} PLANNER {{ {goals} MAX_NODES 40 }}", {})
    assert (tools(found), found.cut_off) == (["do0", "do1", "do2"], True)


def test_branches_that_come_to_the_same_are_one() -> None:
    body = (
        f"TOOL toss {{ OUTCOME a WITH 70% {{ door.state = open }} OUTCOME b WITH 30% {{ door.state = open }} }} {OPEN}"
    )
    found = planned(body, DOOR)
    assert (found.probability, found.partial) == (1, False)


def test_probabilities_that_add_up_to_one_but_for_rounding_reach_certainty() -> None:
    toss = "TOOL toss_{0} {{ OUTCOME a WITH 2% {{ {0}.side = 1 }} OUTCOME b WITH 98% {{ {0}.side = 2 }} }}"
    goal = "PLANNER { ACHIEVE x.side > 0 AND y.side > 0 }"
    found = planned(f"{toss.format('x')} {toss.format('y')} {goal}", {})
    assert 1 - 1e-12 < found.probability < 1
    assert not found.partial


def test_target_confidence_makes_a_likely_plan_a_full_one() -> None:
    body = "TOOL try_it { OUTCOME a WITH 80% { door.state = open } OUTCOME b WITH 20% { x.y = 1 } }"
    found = planned(f"{body} PLANNER {{ ACHIEVE door.state == open TARGET_CONFIDENCE 80% MAX_DEPTH 1 }}", DOOR)
    assert (tools(found), found.partial) == (["try_it"], False)


def test_utility_can_be_worth_more_than_the_goal_costs() -> None:
    body = """
    TOOL push { COST 1 EFFECT { door.state = open } } TOOL light { COST 3 EFFECT { lamp.state = on } }
    UTILITY { lamp.state == on VALUE 5 }
    """
    found = planned(f"{body} {OPEN}", DOOR)
    assert (set(tools(found)), found.utility, found.cost, found.score) == ({"push", "light"}, 5, 4, 1)


GIVE = "TOOL give { INPUT { who: String BIND desk.clerk what } EFFECT { door.state = open } }"


def test_parameter_takes_the_value_at_its_bind_path_or_at_its_own_name() -> None:
    found = planned(f"{GIVE} {OPEN}", {**DOOR, "desk.clerk": "ada", "what": 7, "who": "nobody"})
    assert dict(found.steps[0].args) == {"who": "ada", "what": 7}
    assert type(found.steps[0].args["who"]) is str  # as the INPUT contract makes it


def test_undefined_parameter_makes_the_operator_inapplicable() -> None:
    found = planned(f"{GIVE} {OPEN}", {**DOOR, "desk.clerk": "ada"})
    assert (found.exhausted, [(out.tool, out.stage) for out in found.excluded]) == (True, [("give", "unbound")])


def test_value_against_the_contract_makes_the_operator_inapplicable() -> None:
    found = planned(f"{GIVE} {OPEN}", {**DOOR, "desk.clerk": 5, "what": 7})
    assert (found.exhausted, [(out.tool, out.stage) for out in found.excluded]) == (True, [("give", "contract")])


def test_arguments_are_those_of_the_most_probable_branch_in_which_the_step_fires() -> None:
    body = """
    TOOL pick { OUTCOME a WITH 20% { desk.clerk = ada } OUTCOME b WITH 50% { desk.clerk = bob }
                OUTCOME c WITH 30% { desk.clerk = cyd } }
    TOOL give { INPUT { who: String BIND desk.clerk } REQUIRES { NOT desk.clerk IN [bob, none_yet] }
                EFFECT { door.state = open } }
    """
    found = planned(f"{body} {OPEN}", {**DOOR, "desk.clerk": "none_yet"})
    assert (tools(found), dict(found.steps[1].args), found.steps[1].firing) == (["pick", "give"], {"who": "cyd"}, 0.5)
    assert dict(found.steps[1].labels) == {"who": {"DECLARED", "EFFECT", "RUNTIME"}}


def test_effect_sees_arguments_and_the_effects_before_it() -> None:
    body = """
    TOOL move { INPUT { place BIND next.place } EFFECT { robot.place = place robot.after = robot.place } }
    PLANNER { ACHIEVE robot.after == dock }
    """
    assert tools(planned(body, {"next.place": "dock"})) == ["move"]


@pytest.mark.parametrize("effect", ["a.b", "word + 1"])
def test_effect_without_a_value_cannot_be_planned_with(effect: str) -> None:
    found = planned(f"TOOL push {{ EFFECT {{ door.state = open x.y = {effect} }} }} {OPEN}", DOOR)
    assert (found.exhausted, [out.stage for out in found.excluded]) == (True, ["effect"])


@pytest.mark.parametrize("store", ["locals", "beliefs", "world", "long_term", "untrusted"])
def test_effects_dominate_every_store(store: str) -> None:
    scope = observed({})
    shut = Symbol("shut")
    if store == "beliefs":
        scope.beliefs["door.state"] = Belief(shut)
    else:
        getattr(scope, store)["door.state"] = shut
    body = f"TOOL push {{ REQUIRES {{ door.state == shut }} EFFECT {{ door.state = open }} }} {OPEN}"
    assert tools(planned(body, scope)) == ["push"]


def test_condition_that_cannot_be_evaluated_counts_as_false_and_is_told() -> None:
    body = """
    TOOL push { REQUIRES { word + 1 > 2 } EFFECT { door.state = open } } TOOL pull { EFFECT { door.state = open } }
    UTILITY { other * 2 > 1 VALUE 9 }
    PLANNER { ACHIEVE door.state == open ACHIEVE NOT third + 1 > 0 }
    """
    found = planned(body, DOOR)
    assert (found.steps, found.exhausted) == ((), True)
    assert [text for text, _ in found.faults] == ["NOT third + 1 > 0", "other * 2 > 1", "word + 1 > 2"]


def test_planning_changes_nothing() -> None:
    scope = observed({**DOOR, "desk.clerk": "ada", "what": [1]})
    before = (dict(scope.world), dict(scope.locals), dict(scope.beliefs), {**scope.labels["world"]})
    found = planned(f"{GIVE} {OPEN}", scope)
    assert (scope.world, scope.locals, scope.beliefs, scope.labels["world"]) == before
    scope.world["what"].append(2)
    assert found.steps[0].args["what"] == [1]


def test_one_problem_is_planned_from_many_states() -> None:
    made = problem(f"{GIVE} {OPEN}")
    policy = PolicyEngine(Agent.make(name="free"))
    for clerk in ("ada", "bob"):
        found = plan(made, observed({**DOOR, "desk.clerk": clerk, "what": 7}), policy)
        assert dict(found.steps[0].args) == {"who": clerk, "what": 7}
