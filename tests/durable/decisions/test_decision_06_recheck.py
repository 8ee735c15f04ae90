"""Decision 6: before a live call that continues a resumed tick, fresh facts are read; they only restrict."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, RunOptions
from agentl.values import Symbol
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, lines

NO, YES = Symbol("no"), Symbol("yes")
POLICY = "DEFAULT ALLOW NEVER pay WHEN account.frozen == yes"


def killed_in_the_call(frozen: Any = YES, *, policy: str = POLICY, plan: str = PAY, **host: Any) -> Desk:
    """Killed after the effect while the account was free; by the resume it is as `frozen` says."""
    desk = Desk(
        desk_program(plan, policy=policy), World({"pay": [Killed(), {"receipt": "R-2"}]}, {"account.frozen": NO})
    )
    desk.process(host_of(desk.world, **host))
    desk.world.sensors["account.frozen"] = frozen
    return desk


def test_a_keyed_retry_that_has_become_forbidden_is_in_doubt_reason_policy() -> None:
    desk = killed_in_the_call(idempotent=True)
    run = desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.count() == 1
    (resolution,) = desk.of_kind("resolution")
    assert resolution["how"] == "in_doubt"
    assert resolution["reason"].startswith("policy")
    assert run.status == "ended, in doubt"


def test_an_execution_after_not_executed_that_has_become_forbidden_is_refused() -> None:
    desk = killed_in_the_call(reconcile=NOT_EXECUTED)
    run = desk.process(host_of(desk.world, reconcile=NOT_EXECUTED))
    assert desk.world.count() == 1
    assert desk.errors == ["Refused"]
    assert len(lines(run, "BLOCKED")) == 1
    assert run.status == "completed"


def test_nothing_forbidden_nothing_changes() -> None:
    desk = killed_in_the_call(NO, idempotent=True)
    run = desk.process(host_of(desk.world, idempotent=True))
    assert desk.resolutions == ["retry"]
    assert run.status == "completed"


def test_only_observed_paths_in_guards_of_the_tool_are_read() -> None:
    policy = "DEFAULT ALLOW NEVER pay WHEN claim.state == shut NEVER note WHEN account.frozen == yes"
    desk = killed_in_the_call(idempotent=True, policy=policy)
    reads = len(desk.world.reads)
    desk.process(host_of(desk.world, idempotent=True))
    assert len(desk.world.reads) == reads
    assert desk.of_kind("recheck") == []


@pytest.mark.parametrize("host", [{"idempotent": True}, {"reconcile": NOT_EXECUTED}], ids=["retry", "not_executed"])
def test_readings_are_served_on_the_third_derivation(host: dict[str, Any]) -> None:
    desk = killed_in_the_call(**host)
    run = desk.process(host_of(desk.world, **host))
    reads, length = len(desk.world.reads), len(desk.entries)
    desk.world.sensors["account.frozen"] = NO
    again = desk.process(host_of(desk.world, **host))
    assert (len(desk.world.reads), len(desk.entries), desk.world.count()) == (reads, length, 1)
    assert again.trace_text() == run.trace_text()
    assert again.status == run.status


def test_a_kill_right_after_the_recheck_serves_its_readings() -> None:
    desk = killed_in_the_call(NO, idempotent=True)
    desk.world.script["pay"] = [Killed(), {"receipt": "R-3"}]
    desk.process(host_of(desk.world, idempotent=True))
    desk.world.sensors["account.frozen"] = YES
    run = desk.process(host_of(desk.world, idempotent=True))
    # The second launch was checked; the third is a live call again and is checked again.
    assert [fields["verdict"] for fields in desk.of_kind("recheck")] == ["ALLOWED", "DENIED"]
    assert desk.resolutions == ["retry", "in_doubt"]
    assert run.status == "ended, in doubt"


def test_readings_do_not_enter_beliefs() -> None:
    desk = killed_in_the_call(idempotent=True)
    run = desk.process(host_of(desk.world, idempotent=True))
    assert run.runtime is not None
    assert run.runtime.state.get("account.frozen") == NO


def test_later_actions_of_the_same_tick_are_checked_before_their_permit() -> None:
    desk = killed_in_the_call(
        plan='note(text = "first") pay(amount = 40, to = "Zürich")', policy=POLICY, idempotent=True
    )
    other = Desk(desk.text, World({"note": [Killed(), None]}, {"account.frozen": NO}))
    other.process(host_of(other.world))
    other.world.sensors["account.frozen"] = YES
    run = other.process(host_of(other.world))
    assert other.world.count("pay") == 0
    assert [fields["action_id"][-2:] for fields in other.of_kind("intent")] == ["a1"]
    assert len(lines(run, "BLOCKED")) == 1


def test_actions_of_later_ticks_are_not_checked_again() -> None:
    desk = killed_in_the_call(NO, idempotent=True)
    desk.text = desk_program(policy=POLICY, ticks=3)
    desk.store = type(desk.store)()
    desk.world = World({"pay": [Killed(), {"receipt": "R-2"}]}, {"account.frozen": NO})
    desk.process(host_of(desk.world, idempotent=True))
    desk.process(host_of(desk.world, idempotent=True))
    assert len(desk.of_kind("recheck")) == 1


def test_fresh_facts_never_allow_what_was_forbidden() -> None:
    desk = Desk(desk_program(f'note(text = "x") {PAY}', policy=POLICY), World({"note": [Killed(), None]}))
    desk.world.sensors["account.frozen"] = YES
    desk.process()
    desk.world.sensors["account.frozen"] = NO
    run = desk.process()
    assert desk.world.count("pay") == 0
    assert len(lines(run, "BLOCKED")) == 1


def test_fresh_facts_do_not_spare_an_approval_that_was_required() -> None:
    policy = "DEFAULT ALLOW REQUIRE APPROVAL FOR pay WHEN account.frozen == yes"
    desk = Desk(desk_program(f'note(text = "x") {PAY}', policy=policy), World({"note": [Killed(), None]}))
    desk.world.sensors["account.frozen"] = YES
    desk.process(host_of(desk.world, approve=False))
    desk.world.sensors["account.frozen"] = NO
    desk.process(host_of(desk.world, approve=False))
    assert [fields["verdict"] for fields in desk.of_kind("recheck")] == ["APPROVAL_REQUIRED"]
    assert (len(desk.world.approvals), desk.world.count("pay")) == (1, 0)


def test_a_newly_required_approval_counts_as_a_prohibition_where_the_intent_stands() -> None:
    policy = "DEFAULT ALLOW REQUIRE APPROVAL FOR pay WHEN account.frozen == yes"
    desk = killed_in_the_call(policy=policy, idempotent=True)
    desk.process(host_of(desk.world, idempotent=True, approve=True))
    assert desk.world.approvals == []
    assert desk.resolutions == ["in_doubt"]


def test_a_newly_required_approval_is_asked_for_where_no_intent_stands() -> None:
    policy = "DEFAULT ALLOW REQUIRE APPROVAL FOR pay WHEN account.frozen == yes"
    desk = Desk(
        desk_program(f'note(text = "x") {PAY}', policy=policy),
        World({"note": [Killed(), None]}, {"account.frozen": NO}),
    )
    desk.process(host_of(desk.world, approve=True))
    desk.world.sensors["account.frozen"] = YES
    run = desk.process(host_of(desk.world, approve=True))
    assert len(desk.world.approvals) == 1
    assert desk.world.count("pay") == 1
    assert desk.process(host_of(desk.world)).trace_text() == run.trace_text()


@pytest.mark.parametrize("silence", [None, OSError("no line"), object()], ids=["none", "raises", "unstorable"])
def test_a_silent_sensor_is_undefined_and_a_prohibition_on_it_holds(silence: Any) -> None:
    desk = killed_in_the_call(silence, idempotent=True)
    desk.process(host_of(desk.world, idempotent=True))
    assert [fields["verdict"] for fields in desk.of_kind("recheck")] == ["DENIED"]
    assert desk.world.count() == 1


def test_the_recheck_comes_before_the_resolution_of_an_intent_that_stands() -> None:
    desk = killed_in_the_call(NO, idempotent=True)
    desk.process(host_of(desk.world, idempotent=True))
    kinds = [entry["kind"] for entry in desk.entries]
    assert kinds.index("intent") < kinds.index("recheck") < kinds.index("resolution") < kinds.index("invoke")


def test_a_run_that_was_not_interrupted_rechecks_nothing() -> None:
    desk = Desk(desk_program(policy=POLICY), World({"pay": [TimeoutError(), {"receipt": "R"}]}, {"account.frozen": NO}))
    desk.process(host_of(desk.world, idempotent=True))
    assert desk.of_kind("recheck") == []


def test_compat_lifts_the_recheck() -> None:
    desk = Desk(desk_program(policy=POLICY), World({"pay": [Killed(), {"receipt": "R"}]}, {"account.frozen": NO}))
    desk.process(host_of(desk.world, idempotent=True), options=RunOptions(compat=True))
    desk.world.sensors["account.frozen"] = YES
    desk.process(host_of(desk.world, idempotent=True), options=RunOptions(compat=True))
    assert desk.world.count() == 2


def test_an_approval_that_an_earlier_process_asked_for_is_rechecked_whatever_tick_it_is() -> None:
    """The prefix ends with the checkpoint of tick 1; the question of tick 2 was put by a process that is gone."""
    from agentl.durable import PENDING, WaitingForPerson

    policy = "DEFAULT ALLOW NEVER pay WHEN account.frozen == yes REQUIRE APPROVAL FOR pay"
    cycle = f"IF claim.go == yes THEN {{ {PAY} }} SET claim.go = yes"
    text = desk_program(policy=policy, ticks=2, phases=cycle)
    text = text.replace("LOOP", "BELIEF { claim.go = no  account.frozen = no } LOOP")
    desk = Desk(text, World(sensors={"account.frozen": NO}))
    with pytest.raises(WaitingForPerson):
        desk.process(host_of(desk.world, approve=PENDING))
    assert [entry["kind"] for entry in desk.entries][-2:] == ["checkpoint", "request"]
    desk.world.sensors["account.frozen"] = YES
    desk.process(host_of(desk.world, approve=True))
    assert desk.world.count() == 0
    assert [fields["verdict"] for fields in desk.of_kind("recheck")] == ["DENIED"]
