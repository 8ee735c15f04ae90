"""A call with a time limit goes on, is not believed, and can be asked about (decision 8)."""

from __future__ import annotations

import threading

import pytest

from agentl.hosting import Host, NotApplied, call_with_timeout, classify
from agentl.hosting.calling import start_call
from agentl.kernel import PermitError, current_action
from agentl.kernel.dispatch import dispatch
from tests.kernel.making import OPEN, granted, proposed


def test_without_a_limit_the_call_runs_here() -> None:
    call = call_with_timeout(threading.get_ident, None)
    assert call.ended and call.outcome() == threading.get_ident()


def test_within_its_limit_a_call_gives_its_result_or_its_error() -> None:
    assert call_with_timeout(lambda: 5, 5).outcome() == 5
    for limit in (None, 5):
        call = call_with_timeout(lambda: 1 / 0, limit)
        assert call.ended
        with pytest.raises(ZeroDivisionError):
            call.outcome()


def test_an_interruption_is_not_kept_as_an_outcome() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call_with_timeout(interrupted, None)
    with pytest.raises(KeyboardInterrupt):
        call_with_timeout(interrupted, 5).outcome()


def test_past_its_limit_a_call_is_under_way_and_its_late_result_can_be_seen() -> None:
    go_on = threading.Event()
    call = call_with_timeout(lambda: go_on.wait(10) and "late", 0.01)
    assert not call.ended and not call.wait(0.01)
    with pytest.raises(TimeoutError) as caught:
        call.outcome()
    assert classify(caught.value) == "unknown"
    go_on.set()
    assert call.wait(10) and call.outcome() == "late"


def test_the_tool_has_its_permit_and_its_key_in_its_thread_even_when_it_is_late() -> None:
    host, go_on = Host(), threading.Event()
    keys: list[str] = []

    @host.tool("open")
    def open_it(x: int) -> str:
        for _ in range(2):
            action = current_action()
            assert action is not None
            keys.append(action.idempotency_key)
            go_on.wait(10)
        return "done"

    permit = granted(proposed(OPEN, x=1))
    with dispatch(permit) as args:
        call = call_with_timeout(lambda: host.invoke("open", args), 0.05)
    assert not call.ended and current_action() is None
    go_on.set()
    assert call.wait(10) and call.outcome() == "done"
    assert keys == [permit.idempotency_key] * 2


def test_a_call_that_did_not_begin_before_its_dispatch_ended_never_begins() -> None:
    host, go_on, done = Host(), threading.Event(), []
    host.tools["open"] = lambda x: done.append(x)
    with dispatch(granted(proposed(OPEN, x=1))) as args:

        def slow_start() -> object:
            go_on.wait(10)
            return host.invoke("open", args)

        call = call_with_timeout(slow_start, 0.01)
    go_on.set()
    call.wait(10)
    with pytest.raises(PermitError):
        call.outcome()
    assert done == []


def test_its_thread_does_not_keep_the_process_alive() -> None:
    seen: list[bool] = []
    call_with_timeout(lambda: seen.append(threading.current_thread().daemon), 5)
    assert seen == [True]


def test_without_a_thread_nothing_is_called_and_nothing_was_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    called: list[str] = []
    monkeypatch.setattr(threading.Thread, "start", none_left)
    call = start_call(lambda: called.append("function"), lambda: called.append("told"))
    assert call.ended and called == ["told"]
    with pytest.raises(NotApplied, match="no thread") as caught:
        call.outcome()
    assert classify(caught.value, "unknown") == "not_applied"
