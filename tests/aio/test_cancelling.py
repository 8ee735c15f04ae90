"""Cancelling an asynchronous run: it reaches calls in flight, leaves no result, and nothing swallows it (§25)."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from agentl.aio import AsyncHost, AsyncRuntime, Cancelled, Limits
from agentl.hosting.llm import MockLLM
from agentl.syntax.parser import parse_source
from agentl.values import UNDEFINED
from tests.aio.kit import LIMIT_S, AsyncDesk, async_host_of, idle, run, soon
from tests.durable.kit import World, desk_program, host_of


async def never(*args: Any, **named: Any) -> Any:
    await asyncio.Event().wait()


async def cut_short(desk: AsyncDesk, host: Any = None, *, by_task: bool = False, **more: Any) -> AsyncRuntime:
    """Begin a run, wait until it is in a call of `pay`, cancel it."""
    runtime = desk.runtime(host, **more)
    task = asyncio.create_task(runtime.run())
    before = desk.world.count()
    await soon(lambda: desk.world.count() > before)
    await idle()
    if by_task:
        task.cancel()
    else:
        runtime.cancel()
    with pytest.raises(asyncio.CancelledError if by_task else Cancelled):
        await task
    return runtime


@pytest.mark.parametrize("by_task", [True, False])
@pytest.mark.parametrize("limit", [None, 60.0])
def test_a_call_in_flight_is_cancelled_and_has_no_result(by_task: bool, limit: float | None) -> None:
    ends: list[str] = []

    async def slow() -> Any:
        try:
            await never()
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise

    desk = AsyncDesk(world=World({"pay": [slow]}))
    run(lambda: cut_short(desk, by_task=by_task, limits=Limits(tool_timeout=limit)))
    assert ends == ["cancelled"]
    assert [entry["kind"] for entry in desk.entries][-1] == "intent"
    assert desk.errors == []


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize(
    ("promise", "how", "count"),
    [({"idempotent": True}, "retry", 2), ({"reconcile": {"receipt": "R"}}, "reconciled", 1), ({}, "in_doubt", 1)],
)
def test_the_cancelled_action_is_settled_when_the_run_is_resumed(
    promise: dict[str, Any], how: str, count: int, is_async: bool
) -> None:
    desk = AsyncDesk(world=World({"pay": [never, {"receipt": "R"}]}))
    run(lambda: cut_short(desk, async_host_of(desk.world, **promise)))
    if is_async:
        run(desk.runtime(async_host_of(desk.world, **promise)).run)
    else:
        desk.process(host_of(desk.world, **promise))
    assert desk.resolutions == [how]
    assert (desk.world.count(), desk.world.effects()) == (count, 1)


@pytest.mark.parametrize("limit", [None, 60.0])
def test_a_tool_that_turns_the_cancellation_into_a_failure_has_not_failed(limit: float | None) -> None:
    async def sulk() -> Any:
        try:
            await never()
        except asyncio.CancelledError:
            raise ValueError("connection torn down") from None

    desk = AsyncDesk(world=World({"pay": [sulk]}))
    run(lambda: cut_short(desk, limits=Limits(tool_timeout=limit)))
    assert desk.errors == []
    assert [entry["kind"] for entry in desk.entries][-1] == "intent"


@pytest.mark.parametrize("by_task", [True, False])
@pytest.mark.parametrize("limit", [None, 60.0])
def test_a_result_that_comes_all_the_same_is_written_down_and_the_run_stops_behind_it(
    limit: float | None, by_task: bool
) -> None:
    async def stubborn() -> Any:
        try:
            await never()
        except asyncio.CancelledError:
            return {"receipt": "R-1"}

    desk = AsyncDesk(desk_program('pay(amount = 1, to = "a") note(text = "x")'), World({"pay": [stubborn]}))
    run(lambda: cut_short(desk, by_task=by_task, limits=Limits(tool_timeout=limit)))
    assert desk.world.count("note") == 0
    (paid,) = [entry for entry in desk.entries if entry["kind"] == "invoke"]
    assert "error" not in paid
    desk.process(host_of(desk.world))
    assert (desk.world.count("pay"), desk.world.count("note"), desk.resolutions) == (1, 1, [])


def test_a_cancellation_an_approver_swallows_leaves_no_intent() -> None:
    asked: list[Any] = []

    async def stubborn(request: Any) -> Any:
        asked.append(request)
        try:
            await never()
        except asyncio.CancelledError:
            return True

    desk = AsyncDesk(desk_program(policy="REQUIRE APPROVAL FOR pay"))
    host = async_host_of(desk.world)
    host.approver = stubborn

    async def main() -> None:
        runtime = desk.runtime(host)
        task = asyncio.create_task(runtime.run())
        await soon(lambda: bool(asked))
        runtime.cancel()
        with pytest.raises(Cancelled):
            await task

    run(main)
    assert (desk.of_kind("intent"), desk.world.calls) == ([], [])


def test_a_cancellation_swallowed_in_the_last_call_of_a_tick_stops_the_run_before_the_next() -> None:
    async def stubborn() -> Any:
        try:
            await never()
        except asyncio.CancelledError:
            return {"receipt": "R-1"}

    desk = AsyncDesk(desk_program(ticks=3), World({"pay": [stubborn]}))
    run(lambda: cut_short(desk))
    assert sum(entry["kind"] == "checkpoint" for entry in desk.entries) == 1
    assert not any(entry["kind"] == "end" for entry in desk.entries)


def test_what_a_tool_cancels_inside_itself_is_an_outcome_nobody_knows() -> None:
    async def inner() -> Any:
        task = asyncio.ensure_future(never())
        await asyncio.sleep(0)
        task.cancel()
        await task

    desk = AsyncDesk(world=World({"pay": [inner]}))
    run(desk.runtime().run)
    assert desk.resolutions == ["in_doubt"]
    assert desk.of_kind("resolution")[0]["error"][0] == "CancelledError"


def test_a_cancelled_run_cannot_be_gone_on_with() -> None:
    desk = AsyncDesk(world=World({"pay": [never]}))

    async def main() -> None:
        runtime = await cut_short(desk)
        for again in (runtime.run, runtime.tick):
            with pytest.raises(Cancelled) as caught:
                await again()
            assert caught.value.code == "R920"

    run(main)


def test_a_run_cancelled_before_it_began_never_begins() -> None:
    async def main() -> None:
        runtime = desk.runtime()
        runtime.cancel()
        with pytest.raises(Cancelled):
            await runtime.run()

    desk = AsyncDesk()
    run(main)
    assert (desk.world.calls, desk.entries) == ([], [])


def test_whoever_awaits_a_run_is_cancelled_also_when_the_run_was_too() -> None:
    desk = AsyncDesk(world=World({"pay": [never]}))

    async def main() -> None:
        runtime = desk.runtime()
        task = asyncio.create_task(runtime.run())
        await soon(lambda: desk.world.count() == 1)
        runtime.cancel()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()

    run(main)


def test_another_thread_may_cancel() -> None:
    desk = AsyncDesk(world=World({"pay": [never]}))

    async def main() -> None:
        runtime = desk.runtime()
        task = asyncio.create_task(runtime.run())
        await soon(lambda: desk.world.count() == 1)
        thread = threading.Thread(target=runtime.cancel)
        thread.start()
        with pytest.raises(Cancelled):
            await asyncio.wait_for(task, 5)
        thread.join()

    run(main)


def test_a_sync_tool_cannot_be_stopped_and_is_no_longer_waited_for() -> None:
    let_go = threading.Event()
    desk = AsyncDesk(world=World({"pay": [lambda: let_go.wait(30)]}))
    run(lambda: cut_short(desk, host_of(desk.world)))
    let_go.set()
    assert [entry["kind"] for entry in desk.entries][-1] == "intent"


def test_a_call_whose_limit_had_passed_is_cancelled_too_and_that_is_noted() -> None:
    text = desk_program('pay(amount = 40, to = "a") note(text = "x")')
    desk = AsyncDesk(text, World({"pay": [never], "note": [never]}))

    async def main() -> None:
        runtime = desk.runtime(async_host_of(desk.world, timeout_s=LIMIT_S))
        task = asyncio.create_task(runtime.run())
        while desk.world.count("note") == 0:
            await asyncio.sleep(0.001)
        runtime.cancel()
        with pytest.raises(Cancelled):
            await task

    run(main)
    assert desk.of_kind("late")[0]["error"][0] == "CancelledError"
    assert "late" not in [told.how for told in desk.told]
    desk.process(host_of(desk.world))
    assert desk.world.count("pay") == 1


WAITS = {
    "sensor": ("OBSERVE { a.b }", "SET x = 1"),
    "question": ("", 'ASK boss { QUESTION "?" DEFAULT no }'),
    "approval": ("TOOL pay { RISK HIGH } POLICY { REQUIRE APPROVAL FOR pay }", "pay()"),
    "model": ("", 'REASON { TASK "t" PRODUCE { kind: Symbol IN [a, b] DEFAULT a } }'),
    "sub-agent": ("TOOL helper { RISK LOW }", "DELEGATE helper { }"),
}


@pytest.mark.parametrize("kind", WAITS)
def test_every_wait_at_the_boundary_can_be_cancelled(kind: str) -> None:
    declared, body = WAITS[kind]
    agent = parse_source(f"AGENT A {{ {declared} PLAN p WHEN 1 == 1 {{ {body} SET reached = yes }} }}").agents[0]
    waiting: list[str] = []

    async def wait(*args: Any, **named: Any) -> Any:
        waiting.append(kind)
        await never()

    class Slow(MockLLM):
        reason = wait

    host = AsyncHost()
    host.sensors["a.b"] = host.subagents["helper"] = host.asker = host.approver = wait

    async def main() -> AsyncRuntime:
        runtime = AsyncRuntime(agent, host, Slow())
        task = asyncio.create_task(runtime.run(1))
        await soon(lambda: bool(waiting))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return runtime

    runtime = run(main)
    assert runtime.runtime is not None
    assert runtime.runtime.state.world.get("reached", UNDEFINED) is UNDEFINED
    assert runtime.runtime.metrics["tool_failures"] == 0


def test_the_time_limit_of_whoever_awaits_a_run_cancels_it() -> None:
    desk = AsyncDesk(world=World({"pay": [never, {"receipt": "R"}]}))

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                await desk.runtime(async_host_of(desk.world, idempotent=True)).run()

    run(main)
    run(desk.runtime(async_host_of(desk.world, idempotent=True)).run)
    assert desk.world.effects() == 1
