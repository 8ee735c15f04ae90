"""The general profile: raw inputs run, a program goes on after a failure, nothing of it is resumed (contract §7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.operations.driving import Ended, Interrupted
from agentl.operations.problems import Problem
from tests.operations.kit import PROGRAM, Desk, seen
from tests.operations.world import Applied, NotApplied, Unknown, World

RAW = PROGRAM.replace("to = target", "to = inputs.payee")
BRANCHING = PROGRAM.replace(
    "GIVE { moved", "IF quote.ref == nothing THEN { notify(ref = quote.ref) }\n      GIVE { moved"
)


def test_raw_inputs_run_as_general_and_say_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path, program=RAW)
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission(inputs={"payee": "acme"}))
        assert isinstance(operations.begin(operation_id), Ended)
        projection = seen(operations, operation_id)
    assert (projection["profile"], projection["state"]) == ("general", "completed")
    assert [call.input["to"] for call in desk.world.launches if call.tool == "transfer"] == ["acme"]


def test_raw_inputs_are_not_resumable(tmp_path: Path) -> None:
    desk = Desk(tmp_path, program=RAW)
    desk.world.behaves = lambda call: Unknown("lost") if call.tool == "transfer" else Applied(desk.world.apply(call))
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission(inputs={"payee": "acme"}))
        assert isinstance(operations.begin(operation_id), Interrupted)
        projection = seen(operations, operation_id)
        assert (projection["resumable"], projection["refusal"]["code"]) == (False, "RuntimeInputs")
        assert projection["actions"] == ["cancel"]
        with pytest.raises(Problem) as refused:
            operations.resume(desk.request(operations, operation_id))
    assert refused.value.wire == "RuntimeInputs"


def test_a_general_operation_goes_on_after_a_call_that_did_not_succeed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, program=BRANCHING.replace("told = notify.ref", "told = quote.ref"))
    desk.world.behaves = lambda call: (
        NotApplied("NoMail", "the post is closed") if call.tool == "notify" else Applied(desk.world.apply(call))
    )
    with desk.opened() as operations:
        ended = operations.begin(operations.admit(desk.admission(profile="general")))
    assert isinstance(ended, Ended) and ended.state == "completed", ended


def test_a_plan_with_branches_is_refused_in_the_sequential_profile_before_its_first_handler(tmp_path: Path) -> None:
    desk = Desk(tmp_path, program=BRANCHING)
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        ended = operations.begin(operation_id)
        assert isinstance(ended, Ended) and ended.state == "failed" and ended.problem is not None
        reasons = ended.problem.details["reasons"]
        again = operations.admit(desk.admission(message_id="m"))
        assert operations.read(operation_id).state(is_driven=False) == "failed"
        assert again != operation_id
    assert [reason["code"] for reason in reasons] == ["O101"]
    assert reasons[0]["line"] > 0 and reasons[0]["file"].endswith("desk.agent")
    assert desk.world.launches == []


def test_a_tool_without_binding_is_refused_in_every_profile(tmp_path: Path) -> None:
    desk = Desk(tmp_path, World(), program=PROGRAM.replace("notify", "inform"))
    for profile in ("sequential", "general"):
        with desk.opened() as operations:
            ended = operations.begin(operations.admit(desk.admission(profile=profile)))
        assert isinstance(ended, Ended) and ended.problem is not None
        assert [reason["code"] for reason in ended.problem.details["reasons"]] == ["O112"]
    assert desk.world.launches == []
