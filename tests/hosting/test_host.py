"""Host: everything of host-api.md §2, and its call-and-raise matrix (§17)."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from agentl.hosting import PENDING, Host, NotApplied, after_s_of, options_of
from agentl.kernel import ActionContext, PermitError, ShownRequest, current_action
from agentl.kernel.testing import dispatch
from agentl.values import Symbol

SHOWN = ShownRequest("pay", {}, "LOW", [], "plan", 1.0, {}, "invoke")
CONTEXT = ActionContext("invoke", "pay", "r:A:t1:a1", "k" * 32)


def test_a_new_host_is_empty() -> None:
    host = Host()
    assert (host.sensors, host.tools, dict(host.subagents), list(host.events)) == ({}, {}, {}, [])
    assert (host.approver, host.asker, host.trace_sink) == (None, None, None)
    assert (host.idempotent_tools, host.reconcilers) == (set(), {})


def test_decorators_register_and_give_the_function_back() -> None:
    host = Host()

    function: Any = print

    for decorate in (host.sensor("a.b"), host.tool("t"), host.subagent("s"), host.reconciler("t"), host.secret("k")):
        assert decorate(function) is function
    held: list[Any] = [host.sensors["a.b"], host.tools["t"], host.reconcilers["t"], host.secrets["k"]]
    assert all(one is function for one in [*held, *host.subagents.values()])


def test_tool_options_are_kept_and_read_from_any_host() -> None:
    host = Host()
    host.tool("pay", idempotent=True, version="2", on_error="unknown", timeout_s=5, secret={"token"})(print)
    options = options_of(host, "pay")
    assert (options.version, options.on_error, options.timeout_s, options.secret) == (
        *("2", "unknown", 5),
        frozenset({"token"}),
    )
    assert host.idempotent_tools == {"pay"}
    assert options_of(host, "other") == options_of(object(), "pay")
    host.tool("pay", secret="token")(print)
    assert options_of(host, "pay").secret == {"token"}


def test_a_tool_registered_again_does_not_inherit_the_promise() -> None:
    host = Host()
    host.tool("pay", idempotent=True)(print)
    host.tool("pay")(print)
    assert host.idempotent_tools == set()


@pytest.mark.parametrize(
    "bad",
    [{"on_error": "retry"}, {"timeout_s": 0}, {"timeout_s": -1}, {"timeout_s": float("nan")}, {"timeout_s": 1e300}],
)
def test_an_option_that_makes_no_sense_is_refused_at_once(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Host().tool("t", **bad)


def test_reconcilers_wait_five_seconds_unless_told_otherwise() -> None:
    host = Host()
    host.reconciler("a")(print)
    host.reconciler("b", after_s=0)(print)
    host.reconcilers["c"] = print
    assert [after_s_of(host, name) for name in "abc"] == [5, 0, 5] and after_s_of(object(), "a") == 5
    for bad in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            host.reconciler("d", after_s=bad)


def test_read_gives_the_reading_or_none_and_lets_errors_through() -> None:
    host = Host()
    host.sensors["x"] = lambda: 5
    host.sensors["y"] = lambda: 1 / 0
    assert (host.read("x"), host.read("nothing")) == (5, None)
    with pytest.raises(ZeroDivisionError):
        host.read("y")


def test_ask_without_asker_is_no_answer() -> None:
    host = Host()
    assert host.ask("why?") == Symbol("no_answer")
    host.asker = lambda question, reason: f"{question}{reason}"
    assert host.ask("a", "b") == "ab" and host.ask("a") == "a"


@pytest.mark.parametrize(
    ("answer", "granted"), [(True, True), (" OK ", True), ("sure", False), (1, False), (None, False), ([1], False)]
)
def test_approve_applies_the_words(answer: object, granted: bool) -> None:
    host = Host()
    assert host.approve(SHOWN) is False
    host.approver = lambda request: answer
    assert host.approve(SHOWN) is granted


def test_an_approver_may_say_that_a_person_has_been_asked() -> None:
    host = Host()
    host.approver = lambda request: PENDING
    assert host.approve(SHOWN) is PENDING


def test_an_approver_that_raises_is_heard() -> None:
    host = Host()
    host.approver = lambda request: 1 / 0
    with pytest.raises(ZeroDivisionError):
        host.approve(SHOWN)


def test_reconcile_calls_the_reconciler_or_is_a_lookup_error() -> None:
    host = Host()
    host.reconcilers["pay"] = lambda args, context: {"key": context.idempotency_key, **args}
    assert host.reconcile("pay", {"a": 1}, CONTEXT) == {"key": "k" * 32, "a": 1}
    with pytest.raises(LookupError):
        host.reconcile("other", {}, CONTEXT)


def test_invoke_needs_a_permit_for_exactly_this_call() -> None:
    host = Host()
    calls: list[int] = []
    host.tools["pay"] = lambda amount: calls.append(amount)
    with pytest.raises(KeyError):
        host.invoke("nothing", {})
    with pytest.raises(PermitError):
        host.invoke("pay", {"amount": 1})
    assert calls == []
    dispatch(host, "pay", {"amount": 1})
    assert calls == [1]


def test_a_tool_cannot_call_a_tool_through_the_host() -> None:
    host = Host()
    host.tools["inner"] = lambda: "no"
    host.tools["outer"] = lambda: host.invoke("inner", {})
    with pytest.raises(PermitError):
        dispatch(host, "outer")


def test_a_tool_may_change_what_it_receives() -> None:
    host = Host()
    host.tools["grow"] = lambda items: items.append(1) or items
    items: list[int] = []
    assert dispatch(host, "grow", {"items": items}) == [1]
    assert items == []


def test_events_come_out_in_order_once_and_may_carry_any_payload_name() -> None:
    host = Host()
    host.emit("door", source="north", self=1)
    host.emit("door", open=True)
    assert host.drain() == [
        {"source": "door", "payload": {"source": "north", "self": 1}},
        {"source": "door", "payload": {"open": True}},
    ]
    assert host.drain() == []


def test_no_event_is_lost_or_doubled_while_threads_emit() -> None:
    host, drained = Host(), []

    def emit(base: int) -> None:
        for number in range(500):
            host.emit("n", number=base + number)

    threads = [threading.Thread(target=emit, args=(base * 500,)) for base in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        drained += host.drain()
    drained += host.drain()
    assert sorted(event["payload"]["number"] for event in drained) == list(range(2000))


def test_a_secret_parameter_is_filled_at_the_call_and_nowhere_else() -> None:
    host = Host()
    seen: list[str] = []
    host.secret("bank")(lambda: "hunter2")

    @host.tool("pay", secret={"token"})
    def pay(token: str, note: str) -> None:
        action = current_action()
        assert action is not None and "hunter2" not in repr(action)
        seen.extend([token, note])

    dispatch(host, "pay", {"token": "secret:bank", "note": "secret:bank"})
    assert seen == ["hunter2", "secret:bank"]


def test_a_secret_that_cannot_be_supplied_means_that_nothing_was_done() -> None:
    host = Host()
    calls: list[str] = []
    host.tool("pay", secret={"token"})(lambda token: calls.append(token))
    with pytest.raises(NotApplied, match="no one supplies"):
        dispatch(host, "pay", {"token": "secret:bank"})
    with pytest.raises(NotApplied, match="takes a handle"):
        dispatch(host, "pay", {"token": "hunter2"})
    host.secrets["bank"] = lambda: str(int("hunter2"))
    with pytest.raises(NotApplied) as caught:
        dispatch(host, "pay", {"token": "secret:bank"})
    assert "hunter2" not in str(caught.value) and caught.value.__cause__ is None
    assert calls == []
