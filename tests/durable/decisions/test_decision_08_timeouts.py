"""Decision 8: at the limit the outcome is unknown and the call still under way: no retry, a look-up, else in doubt."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, RunOptions
from agentl.values import UNDEFINED
from tests.durable.kit import Desk, Killed, World, desk_program, host_of, lines

LIMIT_S = 0.03


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentl.durable.driver.GRACE_S", 0.05)


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """A bank that does not answer before it is let go."""
    event = threading.Event()
    yield event
    event.set()


def slow_desk(held: threading.Event, answer: Any = None, **program: Any) -> Desk:
    def wait() -> Any:
        held.wait(10)
        if isinstance(answer, Exception):
            raise answer
        return answer or {"receipt": "R-late"}

    return Desk(desk_program(**program), World({"pay": [wait]}))


@pytest.mark.parametrize("host", [{}, {"idempotent": True}], ids=["plain", "idempotent"])
def test_at_the_limit_the_outcome_is_unknown_and_nothing_is_repeated(
    held: threading.Event, host: dict[str, Any]
) -> None:
    desk = slow_desk(held)
    run = desk.process(host_of(desk.world, timeout_s=LIMIT_S, **host))
    assert desk.world.count() == 1
    assert desk.resolutions == ["in_doubt"]
    (resolution,) = desk.of_kind("resolution")
    assert resolution["under_way"] is True
    assert resolution["error"][0] == "TimeoutError"
    assert run.is_call_under_way
    assert run.is_in_doubt


def test_the_reconciler_is_asked_only_after_after_s(held: threading.Event) -> None:
    desk = slow_desk(held)
    run = desk.process(host_of(desk.world, timeout_s=LIMIT_S, reconcile={"receipt": "R-found"}, after_s=7.0))
    assert desk.clocks.slept == [pytest.approx(7.0, abs=0.01)]
    assert desk.resolutions == ["reconciled"]
    assert run.runtime is not None
    assert run.runtime.state.get("pay.receipt") == "R-found"
    # Done, but the process must not end as if nothing were still running.
    assert (run.status, run.is_in_doubt) == ("completed", True)


@pytest.mark.parametrize("answer", [NOT_EXECUTED, None, LookupError("closed")])
def test_a_look_up_that_finds_nothing_is_no_proof_while_the_call_runs(held: threading.Event, answer: Any) -> None:
    desk = slow_desk(held)
    run = desk.process(host_of(desk.world, timeout_s=LIMIT_S, reconcile=answer))
    assert desk.world.count() == 1
    assert desk.resolutions == ["in_doubt"]
    assert run.status == "ended, in doubt"


def test_a_late_result_is_noted_and_never_used(held: threading.Event) -> None:
    desk = slow_desk(held, plan='pay(amount = 40, to = "Zürich") note(text = "go on")')
    desk.world.script["note"] = [held.set]
    run = desk.process(host_of(desk.world, timeout_s=LIMIT_S))
    (late,) = desk.of_kind("late")
    assert late["action_id"] == desk.world.calls[0].action_id
    assert late["value"] == {"receipt": "R-late"}
    assert run.runtime is not None
    assert run.runtime.state.get("pay.receipt") is UNDEFINED
    assert "R-late" not in run.trace_text()
    assert [told.how for told in desk.told] == ["in_doubt", "late"]
    assert not run.is_call_under_way
    assert run.status == "ended, in doubt"


def test_a_late_exception_is_noted_with_its_class_and_text(held: threading.Event) -> None:
    desk = slow_desk(held, ValueError("no such account"), plan='pay(amount = 40, to = "Zürich") note(text = "go on")')
    desk.world.script["note"] = [held.set]
    desk.process(host_of(desk.world, timeout_s=LIMIT_S))
    assert desk.of_kind("late")[0]["error"] == ["ValueError", "no such account"]


def test_a_late_result_that_cannot_be_stored_is_noted_all_the_same(held: threading.Event) -> None:
    desk = slow_desk(held, {"receipt": object()}, plan='pay(amount = 40, to = "Zürich") note(text = "go on")')
    desk.world.script["note"] = [held.set]
    desk.process(host_of(desk.world, timeout_s=LIMIT_S))
    assert desk.of_kind("late")[0]["error"][0] == "ResultNotStorable"


def test_the_same_action_is_latched_in_this_process_and_free_again_in_the_next(held: threading.Event) -> None:
    desk = slow_desk(held, ticks=2)
    run = desk.process(host_of(desk.world, timeout_s=LIMIT_S, idempotent=True))
    assert len(lines(run, "still under way")) >= 1
    assert desk.world.count() == 1


def test_after_a_kill_the_keyed_retry_is_possible_again(held: threading.Event) -> None:
    desk = slow_desk(held, ticks=2, plan='pay(amount = 40, to = "Zürich") note(text = "x")')
    desk.world.script["note"] = [Killed(), None]
    host: dict[str, Any] = {"timeout_s": LIMIT_S, "idempotent": True}
    desk.process(host_of(desk.world, **host))
    held.set()
    run = desk.process(host_of(desk.world, **host))
    assert (desk.world.count(), desk.world.effects()) == (2, 1)
    assert [action.tool for action in run.doubts] == ["note"]


def test_the_option_limits_tools_that_state_none_and_yields_to_those_that_do(held: threading.Event) -> None:
    desk = slow_desk(held)
    desk.process(host_of(desk.world), options=RunOptions(tool_timeout_s=LIMIT_S))
    assert desk.resolutions == ["in_doubt"]
    quick = Desk(world=World({"pay": [lambda: held.wait(LIMIT_S) or {"receipt": "R"}]}))
    quick.process(host_of(quick.world, timeout_s=10.0), options=RunOptions(tool_timeout_s=0.001))
    assert quick.resolutions == []


def test_an_answer_within_the_limit_is_an_ordinary_one() -> None:
    desk = Desk()
    run = desk.process(host_of(desk.world, timeout_s=10.0))
    assert run.status == "completed"
    assert [entry["kind"] for entry in desk.entries if entry["kind"] == "resolution"] == []


def test_the_limit_holds_in_a_plain_runtime_too(held: threading.Event) -> None:
    from agentl.durable import Runtime
    from tests.durable.kit import parsed

    desk = slow_desk(held)
    runtime = Runtime(parsed(desk.text), host_of(desk.world, timeout_s=LIMIT_S)).run()
    assert runtime.state.get("tools.pay.in_doubt") is True
