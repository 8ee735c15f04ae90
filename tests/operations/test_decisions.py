"""Decisions given before the start: bound to one action, used once, valid at the launch (operations-contract.md §7)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from agentl.operations.decisions import Decision, action_of, store_decision
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from tests.operations.kit import PROGRAM, Desk, seen

APPROVED = (
    PROGRAM.replace("PLAN pay {", "POLICY { DEFAULT ALLOW REQUIRE APPROVAL FOR transfer }\n  PLAN pay {")
    .replace('SET target = "acme"', "SET noted = yes")
    .replace("to = target", 'to = "acme"')
)
FAR = 4_000_000_000_000
EFFECTIVE = {"amount": 40, "to": "acme"}


def decision(
    operations: Operations, verdict: Literal["approve", "deny"] = "approve", expires_at: int = FAR, amount: int = 40
) -> str:
    given = Decision(
        "d-1", "transfer", action_of("transfer", {**EFFECTIVE, "amount": amount}), verdict, expires_at, "ann"
    )
    store_decision(operations.engine.state, given)
    return given.decision_id


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, program=APPROVED)


def test_an_approved_action_is_launched_and_its_decision_used_once(desk: Desk) -> None:
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission(decisions=[decision(operations)]))
        assert isinstance(operations.begin(operation_id), Ended)
        checkpoint = operations.read(operation_id).checkpoint
        assert checkpoint is not None
        used = checkpoint.document["decisions_used"]
        with pytest.raises(Problem) as refused:
            operations.admit(desk.admission(decisions=["d-1"]))
    assert [each["decision_id"] for each in used] == ["d-1"]
    assert refused.value.wire == "DecisionExpired"  # it served once
    assert desk.world.effects_of("transfer") == 1


@pytest.mark.parametrize("amount", [None, 41])
def test_without_the_right_decision_nothing_is_launched(desk: Desk, amount: int | None) -> None:
    with desk.opened() as operations:
        decisions = [decision(operations, amount=amount)] if amount is not None else []
        ended = operations.begin(operations.admit(desk.admission(decisions=decisions)))
    assert isinstance(ended, Ended) and ended.problem is not None
    assert [reason["code"] for reason in ended.problem.details["reasons"]] == ["O110"]
    assert desk.world.launches == []


def test_a_denied_action_ends_the_operation(desk: Desk) -> None:
    with desk.opened() as operations:
        ended = operations.begin(operations.admit(desk.admission(decisions=[decision(operations, "deny")])))
    assert isinstance(ended, Ended) and ended.problem is not None
    assert (ended.state, ended.problem.wire) == ("failed", "PolicyDenied")
    assert [call.tool for call in desk.world.launches] == ["quote"]


def test_a_decision_that_expires_before_its_launch_stops_it(desk: Desk) -> None:
    with desk.opened() as operations:
        soon = operations.engine.state.clocks.wall_ms() + 10_000
        operation_id = operations.admit(desk.admission(decisions=[decision(operations, expires_at=soon)]))
        with operations.engine.state.transaction():
            operations.engine.state.execute("UPDATE decisions SET expires = 1")
        outcome = operations.begin(operation_id)
        projection = seen(operations, operation_id)
    if isinstance(outcome, Interrupted):
        assert projection["refusal"]["code"] == "DecisionExpired"
    else:
        assert outcome.problem is not None and outcome.problem.wire == "DecisionExpired"
    assert desk.world.effects_of("transfer") == 0


def test_the_same_decision_again_is_the_same_and_another_verdict_a_conflict(desk: Desk) -> None:
    with desk.opened() as operations:
        decision(operations)
        decision(operations)
        with pytest.raises(Problem) as refused:
            decision(operations, "deny")
    assert refused.value.wire == "DecisionConflict"
