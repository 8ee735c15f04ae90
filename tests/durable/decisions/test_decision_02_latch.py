"""Decision 2: while an action is in doubt, the same action does not simply go out again."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, DurableRun, MemoryStore, RunOptions
from agentl.hosting.host import Host
from agentl.hosting.outcomes import OutcomeUnknown
from agentl.syntax.parser import parse_source
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, lines

RETRIED = f"{PAY} VERIFY {{ CONDITION claim.state == paid ON FAIL {{ RETRY 2 }} }}"


def killed_once(plan: str = PAY, ticks: int = 3, **more: Any) -> Desk:
    return Desk(desk_program(plan, ticks=ticks, **more), World({"pay": [Killed(), {"receipt": "R-1"}]}))


def test_plain_tool_no_rule_retry_2_and_three_ticks_killed_after_the_effect_acts_once() -> None:
    desk = killed_once(RETRIED)
    desk.process()
    run = desk.process()
    assert desk.world.count() == 1
    assert run.status == "ended, in doubt"
    assert len(lines(run, "RETRY")) == 6
    assert len(lines(run, "BLOCKED")) == 8


def test_the_refusal_names_the_first_action_and_takes_no_number() -> None:
    desk = killed_once()
    desk.process()
    run = desk.process()
    assert [fields["action_id"].rpartition(":")[2] for fields in desk.of_kind("intent")] == ["a1"]
    blocked = lines(run, "BLOCKED")
    assert len(blocked) == 2
    assert all(f"{run.run_id}:DESK:t1:a1 is in doubt" in line for line in blocked)


def test_other_arguments_are_another_action() -> None:
    desk = killed_once(f'{PAY} pay(amount = 41, to = "Zürich")', ticks=1)
    desk.process()
    desk.process()
    assert [made.args["amount"] for made in desk.world.calls] == [40, 41]


def test_an_idempotent_tool_goes_out_again_with_the_first_key() -> None:
    desk = Desk(desk_program(ticks=2), World({"pay": [ConnectionError(), ConnectionError(), {"receipt": "R-1"}]}))
    run = desk.process(host_of(desk.world, idempotent=True))
    assert (desk.world.count(), desk.world.effects()) == (3, 1)
    assert desk.of_kind("intent")[1]["retry_of"] == desk.of_kind("intent")[0]["action_id"]
    assert run.status == "completed"


def test_a_rule_that_reads_in_doubt_leaves_it_to_the_program() -> None:
    policy = "DEFAULT ALLOW NEVER note WHEN tools.pay.in_doubt == true DENY pay WHEN tools.pay.in_doubt == maybe"
    desk = killed_once(ticks=2, policy=policy)
    desk.process()
    run = desk.process()
    assert (desk.world.count(), desk.world.effects()) == (2, 1)
    # Nobody promised that a repeated key does nothing: that the second call was done does not answer for the first.
    assert [action.action_id for action in run.doubts] == [desk.world.calls[0].action_id]
    assert run.status == "ended, in doubt"


def test_a_rule_of_another_tool_leaves_nothing_to_the_program() -> None:
    desk = killed_once(ticks=2, policy="DEFAULT ALLOW NEVER note WHEN tools.pay.in_doubt == true")
    desk.process()
    desk.process()
    assert desk.world.count() == 1


# --- with a reconciler: it is asked, and its answer is a resolution of the first action


def doubted_with_reconciler(*answers: Any) -> tuple[Desk, Any]:
    """A first action left in doubt because its look-up failed; then the same action with these further answers."""
    desk = killed_once(ticks=2)
    desk.process(host_of(desk.world, reconcile={"receipt": "never asked"}))
    run = desk.process(host_of(desk.world, reconcile=[LookupError("no line"), *answers]))
    assert desk.resolutions[0] == "in_doubt"
    return desk, run


def test_reconciled_gives_the_further_action_that_result_without_a_call() -> None:
    desk, run = doubted_with_reconciler({"receipt": "R-found"})
    assert desk.world.count() == 1
    assert desk.resolutions == ["in_doubt", "reconciled"]
    assert desk.of_kind("resolution")[1]["action_id"] == desk.of_kind("intent")[0]["action_id"]
    assert run.status == "completed"
    assert run.runtime is not None
    assert run.runtime.state.get("pay.receipt") == "R-found"


def test_not_executed_sends_it_out_with_the_first_key() -> None:
    desk, run = doubted_with_reconciler(NOT_EXECUTED)
    assert (desk.world.count(), desk.world.effects()) == (2, 1)
    assert desk.resolutions == ["in_doubt", "not_executed"]
    assert run.status == "completed"


@pytest.mark.parametrize("answer", [None, LookupError("still no line")])
def test_unknown_refuses(answer: Any) -> None:
    desk, run = doubted_with_reconciler(answer)
    assert desk.world.count() == 1
    assert desk.resolutions == ["in_doubt", "unknown"]
    assert run.status == "ended, in doubt"


@pytest.mark.parametrize("answer", [{"receipt": "R-found"}, NOT_EXECUTED, None])
def test_the_answer_is_served_when_derived_again(answer: Any) -> None:
    desk, run = doubted_with_reconciler(answer)
    calls, asked, length = desk.world.count(), len(desk.world.asked), len(desk.entries)
    again = desk.process(host_of(desk.world, reconcile={"receipt": "changed its mind"}))
    assert (desk.world.count(), len(desk.world.asked), len(desk.entries)) == (calls, asked, length)
    assert again.trace_text() == run.trace_text()


def test_a_process_killed_between_the_answer_and_the_call_serves_the_answer() -> None:
    desk = killed_once(ticks=2)
    desk.world.script["pay"] = [Killed(), Killed(), {"receipt": "R-1"}]
    desk.process(host_of(desk.world, reconcile=None))
    desk.process(host_of(desk.world, reconcile=[LookupError(), NOT_EXECUTED]))
    run = desk.process(host_of(desk.world, reconcile={"receipt": "R-found"}))
    assert (desk.world.count(), desk.world.effects()) == (2, 1)
    assert desk.resolutions == ["in_doubt", "not_executed", "reconciled"]
    assert run.status == "completed"


def test_the_latch_judges_by_the_promise_of_then_and_not_by_todays_host() -> None:
    desk = killed_once(ticks=2)
    desk.process()
    desk.process(host_of(desk.world, idempotent=True, reconcile=NOT_EXECUTED))
    assert desk.world.count() == 1


def test_a_later_launch_with_the_first_key_starts_the_wait_anew() -> None:
    """The look-up is not believed before a call that carried the key, whichever action made it, can have landed."""
    desk = Desk(
        desk_program(f"{PAY} {PAY} {PAY}", policy="DEFAULT ALLOW REQUIRE APPROVAL FOR pay"),
        World({"pay": [ConnectionError(), ConnectionError(), {"receipt": "R-1"}]}),
    )

    def slow_yes() -> bool:
        desk.clocks.pass_s(600)
        return True

    look_ups = [LookupError(), NOT_EXECUTED, NOT_EXECUTED, LookupError(), NOT_EXECUTED]
    desk.process(host_of(desk.world, reconcile=look_ups, after_s=5.0, approve=slow_yes))
    assert desk.resolutions == ["in_doubt", "not_executed", "in_doubt", "not_executed"]
    assert (desk.world.count(), desk.world.effects()) == (3, 1)
    assert desk.clocks.slept == [pytest.approx(5.0), pytest.approx(5.0)]


# --- a call still under way


def under_way(ticks: int = 2) -> Desk:
    import threading

    desk = Desk(desk_program(ticks=ticks))
    desk.world.script["pay"] = [threading.Event().wait]
    return desk


def test_while_the_first_call_is_under_way_the_latch_holds_for_idempotent_tools_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agentl.durable.driver.GRACE_S", 0.0)
    desk = under_way()
    run = desk.process(host_of(desk.world, idempotent=True, timeout_s=0.05))
    assert desk.world.count() == 1
    assert lines(run, "BLOCKED")[0].count("its call is still under way") == 1


def test_compat_lifts_the_latch() -> None:
    desk = killed_once(ticks=2)
    options = RunOptions(compat=True)
    desk.process(options=options)
    desk.process(options=options)
    assert (desk.world.count(), desk.world.effects()) == (2, 2)


def test_a_prohibition_is_asked_before_the_latch_and_the_approver_after_it() -> None:
    denied = killed_once(ticks=2, policy="DEFAULT ALLOW NEVER pay WHEN claim.stop == yes")
    denied.text = denied.text.replace("LOOP", "BELIEF { claim.stop = no } LOOP").replace(
        PAY, f"{PAY} SET claim.stop = yes"
    )
    denied.process()
    assert "NEVER" in lines(denied.process(), "BLOCKED")[0]
    asked = killed_once(ticks=2, policy="DEFAULT ALLOW REQUIRE APPROVAL FOR pay")
    asked.process(host_of(asked.world, approve=True))
    asked.process(host_of(asked.world, approve=True))
    assert len(asked.world.approvals) == 1


PAID_TWICE = {
    "branches in turn": "PLAN p WHEN TRUE { PARALLEL MAX 1 { BRANCH a { pay(x = 1) } BRANCH b { pay(x = 1) } } }",
    "branches in turn in a branch": "PLAN p WHEN TRUE { PARALLEL { BRANCH o { PARALLEL MAX 1 "
    "{ BRANCH a { pay(x = 1) } BRANCH b { pay(x = 1) } } } BRANCH z { SET seen = 1 } } }",
    "agents of a society": "PLAN p WHEN TRUE { pay(x = 1) }",
    "a belief in place of the fact": "BELIEF { tools.pay.in_doubt = false } PLAN p WHEN TRUE { pay(x = 1) pay(x = 1) }",
    "a local in place of the fact": "BELIEF { n = 0 } PLAN p WHEN TRUE "
    "{ IF n == 0 THEN { SET tools.pay.in_doubt = false SET n = 1 } pay(x = 1) pay(x = 1) }",
}


@pytest.mark.parametrize(
    "rule", ["", "NEVER * WHEN action.in_doubt == true", "DENY pay WHEN tools.pay.in_doubt == true"]
)
@pytest.mark.parametrize("shape", PAID_TWICE)
def test_a_rule_that_was_shown_no_doubt_has_decided_nothing(shape: str, rule: str) -> None:
    agents = ("ONE", "TWO") if shape == "agents of a society" else ("ONE",)
    text = " ".join(
        f"AGENT {name} {{ TOOL pay {{ INPUT {{ x: Number }} }} POLICY {{ DEFAULT ALLOW {rule} }} {PAID_TWICE[shape]} "
        "LOOP MAX 2 { SELECT_PLAN EXECUTE } }"
        for name in agents
    )
    host, called = Host(), []  # type: ignore[var-annotated]

    @host.tool("pay")
    def pay(x: Any) -> None:
        called.append(x)
        raise OutcomeUnknown("no answer")

    run = DurableRun(parse_source(text), host, store=MemoryStore())
    run.run(2)
    assert (len(called), run.status) == (1, "ended, in doubt")
