"""Branches of a PARALLEL under one event loop: they overlap, keep to the limits, and are cancelled whole."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentl.aio import AsyncHost, AsyncRuntime, Limits
from agentl.durable import DurableRun, MemoryStore
from agentl.hosting.host import Host
from agentl.hosting.outcomes import NOT_EXECUTED
from agentl.kernel.errors import Cancelled, KernelAbort
from agentl.syntax.parser import parse_source
from tests.aio.kit import Door, idle, run, soon
from tests.durable.kit import Clocks

TEXT = """AGENT DESK {
    TOOL a { INPUT { x: Number } OUTPUT { n: Number } RISK LOW }
    TOOL b { INPUT { x: Number } RISK LOW }
    TOOL c { INPUT { x: Number } RISK LOW }
    PLAN go WHEN TRUE {
        PARALLEL { BRANCH one { a(x = 1) a(x = 2) } BRANCH two { b(x = 1) } BRANCH three { c(x = 1) } }
        SET done = a.n
    }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}"""
AGENT = parse_source(TEXT).agents[0]


def host_of(act: Any) -> AsyncHost:
    host = AsyncHost()

    def offer(name: str) -> None:
        async def tool(x: Any) -> Any:
            return await act(name, x)

        host.tool(name, idempotent=True)(tool)

    for name in ("a", "b", "c"):
        offer(name)
    return host


def test_branches_overlap_and_keep_to_the_limit() -> None:
    async def main() -> None:
        door = Door()
        runtime = AsyncRuntime(
            AGENT, host_of(lambda name, x: door.pass_through({"n": x})), limits=Limits(max_concurrent_tools=2)
        )
        task = asyncio.create_task(runtime.run())
        await soon(lambda: door.inside == 2)
        await idle()
        assert door.entered == 2
        door.let_out(4)
        await task
        assert (door.most, door.entered) == (2, 4)
        assert runtime.runtime is not None
        assert runtime.runtime.state.get("done") == 2

    run(main)


def test_cancelled_with_several_calls_under_way_all_are_cancelled_and_a_sync_run_goes_on() -> None:
    made: list[tuple[str, Any]] = []
    store, clocks = MemoryStore(), Clocks()

    async def main() -> None:
        async def act(name: str, x: Any) -> Any:
            made.append((name, x))
            if name == "b":
                return None
            await asyncio.Event().wait()

        runtime = AsyncRuntime(AGENT, host_of(act), store=store, run_id="r", clocks=clocks)
        task = asyncio.create_task(runtime.run())
        await soon(lambda: len(made) == 3)
        await idle()
        runtime.cancel()
        with pytest.raises(Cancelled):
            await task

    run(main)
    assert sorted(made) == [("a", 1), ("b", 1), ("c", 1)]
    host = Host()
    for name in ("a", "b", "c"):
        host.tool(name, idempotent=True)(lambda x, name=name: made.append((name, x)) or {"n": x})
    again = DurableRun(AGENT, host, store=store.crashed(), run_id="r", clocks=clocks, sleep=clocks.sleep)
    again.run()
    assert again.status == "completed"
    assert sorted(made) == [("a", 1), ("a", 1), ("a", 2), ("b", 1), ("c", 1), ("c", 1)]


def test_what_a_tool_answers_while_it_is_cancelled_is_written_down() -> None:
    store = MemoryStore()

    async def main() -> None:
        waiting = asyncio.Event()

        async def act(name: str, x: Any) -> Any:
            try:
                waiting.set()
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return {"n": x}  # the service had answered

        runtime = AsyncRuntime(AGENT, host_of(act), store=store, run_id="r")
        task = asyncio.create_task(runtime.run())
        await waiting.wait()
        await idle()
        runtime.cancel()
        with pytest.raises(Cancelled):
            await task
        assert runtime.durable is not None
        kinds = [entry["kind"] for entry in runtime.durable.journal.entries]
        assert (kinds.count("intent"), kinds.count("invoke")) == (3, 3)

    run(main)


def test_what_aborts_one_branch_lets_the_others_end_their_calls() -> None:
    async def main() -> None:
        door = Door()
        heard: list[str] = []

        async def act(name: str, x: Any) -> Any:
            heard.append(name)
            if name == "b":
                raise KernelAbort("enough")
            await door.pass_through()
            return {"n": x}

        runtime = AsyncRuntime(AGENT, host_of(act), store=MemoryStore(), run_id="r")
        task = asyncio.create_task(runtime.run())
        await soon(lambda: door.inside == 2)
        await idle()
        assert not task.done()
        door.let_out(2)
        with pytest.raises(KernelAbort, match="enough"):
            await task
        assert sorted(heard) == ["a", "b", "c"]

    run(main)


@pytest.mark.parametrize(("bound", "slept"), [(None, 20.0), (1, 30.0)])
def test_a_look_up_waits_the_whole_time_for_a_call_that_may_have_waited_for_a_place(
    bound: int | None, slept: float
) -> None:
    """The intent is written before the call gets its place: the launch may have been a moment before the crash."""
    store, clocks = MemoryStore(), Clocks()

    async def main() -> None:
        async def act(name: str, x: Any) -> Any:
            await asyncio.Event().wait()

        limits = Limits(max_concurrent_tools=bound)
        host = host_of(act)
        for name in host.tools:
            host.reconciler(name)(lambda args, context: NOT_EXECUTED)
        runtime = AsyncRuntime(AGENT, host, store=store, run_id="r", clocks=clocks, limits=limits)
        task = asyncio.create_task(runtime.run())
        await idle()
        runtime.cancel()
        with pytest.raises(Cancelled):
            await task

    run(main)
    clocks.pass_s(10)
    host = Host()
    for name in ("a", "b", "c"):
        host.tool(name)(lambda x: {"n": x})
        host.reconciler(name, after_s=30)(lambda args, context: NOT_EXECUTED)
    host.one_at_a_time = True
    again = DurableRun(AGENT, host, store=store.crashed(), run_id="r", clocks=clocks, sleep=clocks.sleep)
    again.run()
    assert clocks.slept[0] == pytest.approx(slept)
