"""Decision 5: NOT_EXECUTED is believed only once no interrupted call can still land, by the boot clock."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, RunOptions
from tests.durable.kit import Desk, Killed, World, host_of


def killed_desk(reconcile: Any = NOT_EXECUTED, after_s: float = 5.0, *script: Any) -> Desk:
    desk = Desk(world=World({"pay": [Killed(), *(script or ({"receipt": "R-2"},))]}))
    desk.process(host_of(desk.world, reconcile=reconcile, after_s=after_s))
    return desk


def resume(desk: Desk, reconcile: Any = NOT_EXECUTED, after_s: float = 5.0, **more: Any) -> Any:
    return desk.process(host_of(desk.world, reconcile=reconcile, after_s=after_s), **more)


def test_the_settler_waits_for_the_rest_of_the_time_and_asks_again() -> None:
    desk = killed_desk()
    desk.clocks.pass_s(2.0)
    resume(desk)
    assert desk.clocks.slept == [pytest.approx(3.0)]
    assert len(desk.world.asked) == 2
    assert desk.world.count() == 2


def test_the_wait_is_told() -> None:
    desk = killed_desk()
    resume(desk)
    waits = [told for told in desk.told if told.how == "waiting"]
    assert [(told.tool, told.reason) for told in waits] == [("pay", "5.0")]


def test_what_lands_during_the_wait_is_found() -> None:
    desk = killed_desk()
    resume(desk, [NOT_EXECUTED, {"receipt": "R-1"}])
    assert desk.resolutions == ["reconciled"]
    assert desk.world.count() == 1


def test_no_wait_for_what_was_done() -> None:
    desk = killed_desk()
    resume(desk, {"receipt": "R-1"})
    assert desk.clocks.slept == []


def test_no_wait_when_the_launch_is_old_enough() -> None:
    desk = killed_desk()
    desk.clocks.pass_s(5.0)
    resume(desk)
    assert desk.clocks.slept == []
    assert desk.world.count() == 2


def test_the_default_is_five_seconds() -> None:
    from agentl.durable import DurableRun
    from agentl.hosting import Host
    from tests.durable.kit import parsed

    desk = killed_desk()
    host = host_of(desk.world)
    assert isinstance(host, Host)
    host.reconciler("pay")(lambda args, context: NOT_EXECUTED)
    store = desk.store.crashed()
    DurableRun(parsed(desk.text), host, store=store, clocks=desk.clocks, sleep=desk.clocks.sleep).run()
    assert desk.clocks.slept == [pytest.approx(5.0)]


@pytest.mark.parametrize("hours", [-48, 48])
def test_the_wall_clock_means_nothing(hours: int) -> None:
    desk = killed_desk()
    desk.clocks.wall += hours * 3_600_000
    resume(desk)
    assert desk.clocks.slept == [pytest.approx(5.0)]


def test_after_another_boot_the_time_since_the_journal_was_opened_counts() -> None:
    desk = killed_desk()
    desk.clocks.boot_id, desk.clocks.boot = "boot-2", 1_000_000.0
    resume(desk)
    assert desk.clocks.slept == [pytest.approx(5.0)]
    assert desk.world.count() == 2


def test_a_boot_clock_that_is_behind_makes_the_settler_wait_longer_not_shorter() -> None:
    desk = killed_desk()
    desk.clocks.boot_id, desk.clocks.boot = "boot-2", 3.0
    resume(desk)
    assert desk.clocks.slept == [pytest.approx(5.0)]


def test_the_last_launch_counts_and_not_the_intent() -> None:
    desk = killed_desk(NOT_EXECUTED, 5.0, Killed(), {"receipt": "R-2"})
    desk.clocks.pass_s(100)
    resume(desk)
    assert desk.resolutions == ["not_executed"]
    desk.clocks.pass_s(1)
    resume(desk)
    assert desk.clocks.slept == [pytest.approx(4.0)]
    assert desk.world.effects() == 1
    assert [made.attempt for made in desk.world.calls] == [1, 2, 3]


def test_each_launch_stores_boot_clock_and_boot_id_before_the_call() -> None:
    desk = killed_desk(NOT_EXECUTED, 0.0, Killed())
    resume(desk, after_s=0.0)
    (intent,), (resolution,) = desk.of_kind("intent"), desk.of_kind("resolution")
    assert {"boot_id", "boot_clock"} <= intent.keys() & resolution.keys()
    assert [entry["kind"] for entry in desk.entries][-1] == "resolution"


def test_none_means_does_not_know() -> None:
    desk = killed_desk()
    run = resume(desk, None)
    assert desk.resolutions == ["in_doubt"]
    assert (desk.world.count(), run.status) == (1, "ended, in doubt")


def test_an_empty_result_means_done() -> None:
    desk = killed_desk()
    desk.text = desk.text.replace("OUTPUT { receipt: String }", "")
    desk.store = type(desk.store)()
    desk.world.script["pay"] = [Killed()]
    desk.process(host_of(desk.world, reconcile={}))
    run = resume(desk, {})
    assert desk.resolutions == ["reconciled"]
    assert run.status == "completed"


def test_a_reconciler_that_raises_does_not_know() -> None:
    desk = killed_desk()
    resume(desk, LookupError("the register is closed"))
    (resolution,) = desk.of_kind("resolution")
    assert resolution["how"] == "in_doubt"
    assert resolution["error"] == ["LookupError", "the register is closed"]


def test_a_look_up_whose_result_cannot_be_stored_does_not_know() -> None:
    desk = killed_desk()
    run = resume(desk, {"receipt": object()})
    assert desk.resolutions == ["in_doubt"]
    assert run.status == "ended, in doubt"


def test_the_reconciler_gets_arguments_key_and_id_of_the_interrupted_call() -> None:
    desk = killed_desk()
    resume(desk, {"receipt": "R-1"})
    (context,) = desk.world.asked
    assert (context.idempotency_key, context.action_id) == (desk.world.calls[0].key, desk.world.calls[0].action_id)


def test_compat_takes_none_for_done_and_does_not_wait() -> None:
    options = RunOptions(compat=True)
    desk = Desk(world=World({"pay": [Killed(), {"receipt": "R-2"}]}))
    desk.process(host_of(desk.world, reconcile=None), options=options)
    resume(desk, None, options=options)
    assert desk.resolutions == ["reconciled"]
    eager = Desk(world=World({"pay": [Killed(), {"receipt": "R-2"}]}))
    eager.process(host_of(eager.world, reconcile=NOT_EXECUTED), options=options)
    resume(eager, NOT_EXECUTED, options=options)
    assert (eager.resolutions, eager.clocks.slept) == (["not_executed"], [])


def test_an_interrupt_during_the_wait_leaves_the_action_to_the_next_resume() -> None:
    desk = killed_desk()

    def interrupted(seconds: float) -> None:
        raise Killed

    from agentl.durable import DurableRun
    from tests.durable.kit import parsed

    store = desk.store.crashed()
    host = host_of(desk.world, reconcile=NOT_EXECUTED, after_s=5.0)
    with pytest.raises(Killed):
        DurableRun(parsed(desk.text), host, store=store, clocks=desk.clocks, sleep=interrupted).run()
    desk.store = store.crashed()
    assert desk.resolutions == []
    desk.clocks.pass_s(10)
    resume(desk)
    assert (desk.resolutions, desk.world.effects()) == (["not_executed"], 1)


@pytest.mark.parametrize("junk", [False, True, "junk", "NOT_EXECUTED", 1, {"other": 1}, {"receipt": 5}])
def test_an_answer_that_is_no_result_of_the_tool_means_does_not_know(junk: Any) -> None:
    desk = killed_desk()
    run = resume(desk, junk)
    assert run.status == "ended, in doubt"
    assert desk.world.count() == 1


def test_a_tool_that_wants_to_end_the_process_leaves_its_outcome_unknown() -> None:
    desk = Desk(world=World({"pay": [SystemExit(0)]}))
    run = desk.process()
    assert run.status == "ended, in doubt"
    assert desk.world.count() == 1
