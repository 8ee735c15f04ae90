"""One call under a permit: presented once, by the right call, wherever it runs (host-api.md §7)."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from agentl.kernel.dispatch import (
    ActionContext,
    activated,
    active_dispatch,
    current_action,
    dispatch,
    require_permit,
)
from agentl.kernel.errors import PermitError
from agentl.kernel.request import Identity
from agentl.values import Symbol
from tests.kernel.making import OPEN, delegated, granted, proposed

ARGS: dict[str, Any] = {"amount": 40, "to": "ops"}


def in_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_the_right_call_passes_once_and_learns_its_action() -> None:
    permit = granted(proposed())
    with dispatch(permit) as args:
        context = require_permit("invoke", "transfer", args)
        assert context == ActionContext("invoke", "transfer", "r7:DESK:t3:a1", permit.idempotency_key, 1)
        assert current_action() == context
        with pytest.raises(PermitError, match="R908"):
            require_permit("invoke", "transfer", args)
    assert current_action() is None


@pytest.mark.parametrize(
    ("kind", "target", "args", "code"),
    [
        ("delegate", "transfer", ARGS, "R909"),
        ("invoke", "notify", ARGS, "R909"),
        ("invoke", "transfer", {**ARGS, "amount": 41}, "R910"),
        ("invoke", "transfer", {**ARGS, "amount": 40.0}, "R910"),
        ("invoke", "transfer", {**ARGS, "to": Symbol("ops")}, "R910"),
        ("invoke", "transfer", {**ARGS, "more": 1}, "R910"),
        ("invoke", "transfer", {**ARGS, "to": object()}, "R910"),
        ("invoke", "transfer", {}, "R910"),
    ],
)
def test_any_other_call_is_refused_and_the_right_one_still_passes(
    kind: str, target: str, args: dict[str, Any], code: str
) -> None:
    with dispatch(granted(proposed())):
        with pytest.raises(PermitError, match=code):
            require_permit(kind, target, args)
        require_permit("invoke", "transfer", dict(reversed(ARGS.items())))


def test_an_invoke_permit_is_no_delegate_permit_and_the_reverse() -> None:
    with dispatch(granted(delegated("auditor", path=1))):
        with pytest.raises(PermitError, match="R909"):
            require_permit("invoke", "auditor", {"path": 1})
        require_permit("delegate", "auditor", {"path": 1})


def test_without_a_permit_nothing_passes() -> None:
    with pytest.raises(PermitError, match="R907"):
        require_permit("invoke", "transfer", ARGS)


def test_the_attempt_is_shown_and_the_key_is_not_changed_by_it() -> None:
    keys = set()
    for attempt in (1, 2, 3):
        with dispatch(granted(proposed()), attempt=attempt):
            action = current_action()
            assert action is not None and action.attempt == attempt
            keys.add(action.idempotency_key)
    assert len(keys) == 1


def test_what_the_host_gets_is_its_own() -> None:
    permit = granted(proposed(OPEN, x=[1]))
    with dispatch(permit) as args:
        args["x"].append(2)  # type: ignore[attr-defined]
        with pytest.raises(PermitError, match="R910"):
            require_permit("invoke", "open", args)
        require_permit("invoke", "open", permit.args)


def test_dispatches_nest_like_a_sub_agent_that_runs_an_agent() -> None:
    with dispatch(granted(delegated("auditor"))) as outer:
        require_permit("delegate", "auditor", outer)
        inner_permit = granted(proposed(), identity=Identity("inner", "inner", "SUB", 1, 1))
        with dispatch(inner_permit) as inner:
            action = current_action()
            assert action is not None and action.action_id == "inner:SUB:t1:a1"
            require_permit("invoke", "transfer", inner)
        action = current_action()
        assert action is not None and action.tool == "auditor"
        with pytest.raises(PermitError, match="R908"):
            require_permit("delegate", "auditor", outer)
    assert active_dispatch() is None


def test_another_thread_has_no_permit() -> None:
    with dispatch(granted(proposed())) as args:
        assert in_thread(current_action) is None
        with pytest.raises(PermitError, match="R907"):
            in_thread(lambda: require_permit("invoke", "transfer", args))


def test_a_dispatch_can_be_carried_to_another_thread() -> None:
    with dispatch(granted(proposed())) as args:
        active = active_dispatch()

        def work() -> ActionContext:
            with activated(active):
                return require_permit("invoke", "transfer", args)

        assert in_thread(work) == current_action()
        with pytest.raises(PermitError, match="R908"):
            in_thread(work)


def test_a_copied_context_carries_it_too() -> None:
    with dispatch(granted(proposed())) as args:
        context = contextvars.copy_context()
        in_thread(lambda: context.run(require_permit, "invoke", "transfer", args))
    with pytest.raises(PermitError, match="spent"):
        in_thread(lambda: context.run(require_permit, "invoke", "transfer", args))


def test_of_many_threads_exactly_one_passes() -> None:
    with dispatch(granted(proposed())) as args:
        active, start, passed = active_dispatch(), threading.Barrier(8), []

        def work() -> None:
            with activated(active):
                start.wait()
                try:
                    require_permit("invoke", "transfer", args)
                    passed.append(1)
                except PermitError:
                    pass

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(passed) == 1


def test_nothing_else_can_be_activated() -> None:
    for foreign in (object(), "x", granted(proposed())):
        with pytest.raises(PermitError, match="R911"), activated(foreign):  # type: ignore[arg-type]
            pass
    with dispatch(granted(proposed())), activated(None):
        assert current_action() is None


def test_tasks_each_have_their_own_and_children_inherit() -> None:
    async def tool(args: dict[str, Any], number: int) -> str:
        await asyncio.sleep(0)
        require_permit("invoke", "open", args)
        action = current_action()
        assert action is not None
        return action.action_id

    async def call(number: int) -> str:
        permit = granted(proposed(OPEN, n=number), identity=Identity("r", "k", "A", 1, number))
        with dispatch(permit) as args:
            return await asyncio.create_task(tool(args, number))

    async def main() -> list[str]:
        return await asyncio.gather(*(call(number) for number in range(1, 6)))

    assert asyncio.run(main()) == [f"r:A:t1:a{number}" for number in range(1, 6)]
