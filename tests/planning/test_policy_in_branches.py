"""The policy is asked in every branch, with the labels of what is bound (semantics.md §20, policy.md §10)."""

from __future__ import annotations

import pytest

from agentl.kernel.errors import KernelAbort
from agentl.kernel.request import ActionRequest, Decision
from agentl.logic.scope import Scope, attestation_key
from agentl.planning.search import plan
from agentl.values import Label, Symbol
from tests.planning.planners import OBSERVED, known, observed, planned, problem, tools

TOOL: Label = frozenset({"TOOL"})

# `toss` ends one way or the other; `open_it` is wanted either way.
COIN = """
TOOL toss { COST 1 OUTCOME heads WITH 50% { coin.side = heads } OUTCOME tails WITH 50% { coin.side = tails } }
TOOL open_it { COST 1 REQUIRES { coin.side != edge } EFFECT { box.state = open } }
PLANNER { ACHIEVE box.state == open }
"""
EDGE = {"coin.side": "edge", "box.state": "shut"}


def test_never_in_one_branch_takes_the_tool_out_of_all() -> None:
    found = planned(f"{COIN} POLICY {{ NEVER open_it WHEN coin.side == tails }}", EDGE)
    assert (tools(found), found.exhausted) == ([], True)


def test_unknown_never_in_one_branch_takes_the_tool_out_of_all() -> None:
    outcome = "TOOL toss { COST 1 OUTCOME a WITH 50% { coin.side = 1 } OUTCOME b WITH 50% { coin.side = tails } }"
    body = COIN.replace(COIN.splitlines()[1], outcome)
    assert tools(planned(f"{body} POLICY {{ NEVER open_it WHEN coin.side > 3 }}", EDGE)) == []


def test_never_counts_also_where_requires_does_not_hold() -> None:
    body = COIN.replace("coin.side != edge", "coin.side == heads")
    assert tools(planned(f"{body} POLICY {{ NEVER open_it WHEN coin.side == tails }}", EDGE)) == []


@pytest.mark.parametrize(
    "policy",
    [
        "DENY open_it WHEN coin.side == tails",
        "ALLOW open_it IF coin.side == heads",
        "DEFAULT DENY ALLOW toss ALLOW open_it IF coin.side == heads",
    ],
)
def test_other_refusal_takes_only_the_branch(policy: str) -> None:
    found = planned(f"{COIN} POLICY {{ {policy} }}", EDGE)
    assert (tools(found), found.probability, found.partial) == (["toss", "open_it"], 0.5, True)
    assert found.steps[1].firing == 0.5
    assert found.cost == 1.5
    assert [out.stage for out in found.excluded] == ["policy"]


def test_approval_needed_in_one_branch_is_paid_for_once() -> None:
    found = planned(f"{COIN} POLICY {{ REQUIRE APPROVAL FOR open_it WHEN coin.side == tails }}", EDGE)
    assert (tools(found), found.probability) == (["toss", "open_it"], 1)
    assert (found.steps[1].approval, found.cost) == (True, 12)


def test_approval_where_requires_does_not_hold_costs_nothing() -> None:
    body = COIN.replace("coin.side != edge", "coin.side == heads")
    found = planned(f"{body} POLICY {{ REQUIRE APPROVAL FOR open_it WHEN coin.side == tails }}", EDGE)
    assert (found.steps[1].approval, found.cost) == (False, 1.5)


SHIP = """
TOOL ship { INPUT { gate: String } EFFECT { order.state = sent } }
TOOL lookup { INPUT { gate: String } }
PLANNER { ACHIEVE order.state == sent }
POLICY { NEVER ship WHEN UNTRUSTED(gate) AND NOT ATTESTED(gate, lookup) }
"""


def _ship(label: Label, *, attested: bool = False) -> Scope:
    scope = known(observed({"order.state": "open"}), {"gate": "g7"}, label)
    if attested:
        key = attestation_key(Symbol("g7"))
        assert key is not None
        scope.attestations[key] = {"lookup"}
    return scope


def test_trusted_value_may_be_planned_with() -> None:
    assert tools(planned(SHIP, _ship(OBSERVED))) == ["ship"]


def test_untrusted_value_may_not() -> None:
    found = planned(SHIP, _ship(TOOL))
    assert (tools(found), found.exhausted) == ([], True)


def test_untrusted_value_that_a_tool_accepted_may_be_planned_with_and_keeps_its_label() -> None:
    found = planned(SHIP, _ship(TOOL, attested=True), control=frozenset({"RUNTIME", "LLM"}))
    assert (dict(found.steps[0].args), dict(found.steps[0].labels)) == (
        {"gate": "g7"},
        {"gate": {"TOOL", "RUNTIME", "LLM"}},
    )


def test_decision_to_plan_is_part_of_what_is_judged() -> None:
    body = SHIP.replace(
        "NEVER ship WHEN UNTRUSTED(gate) AND NOT ATTESTED(gate, lookup)", "NEVER ship WHEN LLM_DERIVED(action)"
    )
    assert tools(planned(body, _ship(OBSERVED))) == ["ship"]
    assert tools(planned(body, _ship(OBSERVED), control=frozenset({"LLM"}))) == []


def test_value_an_effect_made_of_an_untrusted_one_is_untrusted() -> None:
    body = """
    TOOL read_it { EFFECT { gate = mail.gate } }
    TOOL ship { INPUT { gate: String } EFFECT { order.state = sent } }
    PLANNER { ACHIEVE order.state == sent }
    POLICY { NEVER ship WHEN UNTRUSTED(gate) }
    """
    state = {"order.state": "open"}
    assert tools(planned(body, known(observed(state), {"mail.gate": "g7"}, OBSERVED))) == ["read_it", "ship"]
    assert tools(planned(body, known(observed(state), {"mail.gate": "g7"}, frozenset({"MESSAGE"})))) == []


def test_what_a_planned_effect_brings_comes_from_the_decision_to_plan_too() -> None:
    body = """
    TOOL move { EFFECT { robot.place = dock } }
    TOOL ship { REQUIRES { robot.place == dock } EFFECT { order.state = sent } }
    PLANNER { ACHIEVE order.state == sent }
    POLICY { NEVER ship WHEN LLM_DERIVED(robot.place) }
    """
    state = {"order.state": "open", "robot.place": "yard"}
    assert tools(planned(body, state)) == ["move", "ship"]
    assert tools(planned(body, state, control=frozenset({"LLM"}))) == []


def test_branches_alike_in_value_but_not_in_source_are_judged_apart() -> None:
    body = """
    TOOL guess { OUTCOME a WITH 50% { gate = mail.gate } OUTCOME b WITH 50% { gate = g7 } }
    TOOL ship { INPUT { gate: String } EFFECT { order.state = sent } }
    PLANNER { ACHIEVE order.state == sent }
    POLICY { DENY ship WHEN UNTRUSTED(gate) }
    """
    found = planned(body, known(observed({"order.state": "open"}), {"mail.gate": "g7"}, frozenset({"MESSAGE"})))
    assert (tools(found), found.probability) == (["guess", "ship"], 0.5)


def test_effect_that_only_changes_the_source_of_a_value_changes_nothing() -> None:
    body = """
    TOOL launder { EFFECT { gate = g7 } }
    TOOL ship { INPUT { gate: String } EFFECT { order.state = sent } }
    PLANNER { ACHIEVE order.state == sent }
    POLICY { NEVER ship WHEN UNTRUSTED(gate) }
    """
    scope = known(observed({"order.state": "open"}), {"gate": "g7"}, frozenset({"MESSAGE"}))
    assert tools(planned(body, scope)) == []


def test_guards_see_the_origin_and_the_confidence_of_a_planned_action() -> None:
    body = f"{SHIP.split('POLICY')[0]} POLICY {{ ALLOW ship IF action.origin == plan AND action.confidence >= 0.7 }}"
    assert tools(planned(body, _ship(OBSERVED), confidence=0.7)) == ["ship"]
    assert tools(planned(body, _ship(OBSERVED), confidence=0.6)) == []


class _Broken:
    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def decide(self, request: ActionRequest, scope: object, /) -> Decision:
        raise self.problem


def test_policy_that_cannot_be_evaluated_prohibits() -> None:
    found = plan(problem(SHIP), _ship(OBSERVED), _Broken(ZeroDivisionError("x")))
    assert (found.steps, [(out.tool, out.stage) for out in found.excluded]) == ((), [("ship", "policy_error")])


def test_abort_of_the_decider_is_passed_on() -> None:
    with pytest.raises(KernelAbort):
        plan(problem(SHIP), _ship(OBSERVED), _Broken(KernelAbort()))
