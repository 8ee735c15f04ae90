"""AsyncRuntime: what it is given, how it is driven, and when it gives a journal up (host-api.md §10)."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from agentl.aio import AsyncHost, AsyncRuntime, Bridge, Limits
from agentl.durable import DurableRun, MemoryStore, OwnedElsewhere, StorageFailure, WaitingForPerson
from agentl.hosting.loading import HostError
from agentl.hosting.outcomes import PENDING
from agentl.journal.errors import DurableError, ReplayDivergence
from agentl.kernel import PermitError, current_action
from agentl.syntax.parser import parse_source
from tests.aio.kit import AsyncDesk, async_host_of, run, soon
from tests.durable.kit import World, desk_program, host_of, parsed


def test_the_example_of_the_reference_runs() -> None:
    agent = parse_source("AGENT A { OBSERVE { disk.free_gb } LOOP UNTIL disk.free_gb > 1 MAX 9 { OBSERVE } }").agents[0]

    async def main() -> dict[str, int]:
        host = AsyncHost()

        @host.sensor("disk.free_gb")
        async def free() -> int:
            await asyncio.sleep(0)
            return 7

        runtime = await AsyncRuntime(agent, host, limits=Limits(tool_timeout=20, read_timeout=3)).run(max_ticks=10)
        return runtime.metrics

    assert run(main)["ticks"] == 1


def test_a_plain_run_ticks_one_by_one_and_goes_on() -> None:
    world = World()

    async def main() -> AsyncRuntime:
        runtime = AsyncRuntime(parsed(desk_program(ticks=5)), async_host_of(world), tool_breaker=2)
        first, second = await runtime.tick(), await runtime.tick()
        assert first is not None and second is not None
        assert (first.tick, second.tick) == (1, 2)
        await runtime.run(1)
        return runtime

    runtime = run(main)
    assert runtime.runtime is not None
    assert runtime.runtime.state.tick == 3
    assert (world.count(), runtime.durable) == (3, None)


def test_a_durable_run_ticks_one_by_one_to_its_end() -> None:
    desk = AsyncDesk(desk_program(ticks=2))

    async def main() -> AsyncRuntime:
        async with desk.runtime() as runtime:
            assert runtime.runtime is None
            ticks = 0
            while await runtime.tick() is not None:
                ticks += 1
            assert ticks == 2
            return runtime

    runtime = run(main)
    assert runtime.durable is not None
    assert (runtime.durable.status, runtime.durable.resumed) == ("completed", False)
    assert desk.entries[-1]["kind"] == "end"


def test_a_durable_run_given_up_between_two_ticks_is_resumed() -> None:
    desk = AsyncDesk(desk_program(ticks=3))

    async def main() -> None:
        async with desk.runtime() as runtime:
            await runtime.tick()
            other = DurableRun(parsed(desk.text), host_of(desk.world), store=desk.store)
            with pytest.raises(OwnedElsewhere):
                other.run()

    run(main)
    assert desk.process(host_of(desk.world)).status == "completed"
    assert desk.world.count() == 3


def test_run_after_ticks_goes_to_the_bound_the_run_began_with() -> None:
    desk = AsyncDesk(desk_program(ticks=3))

    async def main() -> None:
        runtime = desk.runtime()
        await runtime.tick()
        with pytest.raises(DurableError, match="max_ticks"):
            await runtime.run(7)

    async def again() -> None:
        runtime = desk.runtime()
        await runtime.tick()
        await runtime.run()

    run(main)
    run(again)
    assert desk.world.count() == 3
    assert desk.entries[-1]["kind"] == "end"


def test_the_tick_bound_binds_every_resume() -> None:
    desk = AsyncDesk(desk_program(ticks=5))
    run(lambda: desk.runtime().run(2))
    with pytest.raises(DurableError, match="max_ticks"):
        run(lambda: desk.runtime().run(3))


def test_ticks_wait_for_each_other_as_long_as_asked() -> None:
    desk = AsyncDesk(desk_program(ticks=3))
    run(lambda: desk.runtime().run(every_s=30.0))
    assert desk.clocks.slept == [30.0, 30.0]
    run(lambda: desk.runtime().run(every_s=30.0))
    assert desk.clocks.slept == [30.0, 30.0]  # what is only derived again does not wait


def test_it_runs_once_at_a_time() -> None:
    async def main() -> None:
        runtime = AsyncRuntime(parsed(desk_program()), async_host_of(World()))
        task = asyncio.create_task(runtime.run())
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError):
            await runtime.tick()
        await task

    run(main)


def test_what_makes_no_sense_is_refused() -> None:
    agent = parsed(desk_program())
    with pytest.raises(ValueError, match="bridge"):
        AsyncRuntime(agent, limits=Limits(), bridge=Bridge())
    with pytest.raises(ValueError, match="AsyncSociety"):
        AsyncRuntime(parse_source("AGENT A { } AGENT B { }"))
    with pytest.raises(HostError):
        AsyncRuntime(agent, AsyncHost(), store=MemoryStore())


def test_runtimes_on_one_bridge_share_its_places() -> None:
    inside, most = 0, 0

    async def slow() -> Any:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.005)
        inside -= 1
        return {"receipt": "R"}

    async def main() -> None:
        bridge = Bridge(Limits(max_concurrent_tools=2))
        worlds = [World({"pay": [slow]}) for _ in range(5)]
        runs = [AsyncRuntime(parsed(desk_program()), async_host_of(world), bridge=bridge) for world in worlds]
        await asyncio.gather(*(each.run() for each in runs))

    run(main)
    assert most == 2


def test_a_bridge_serves_one_loop_after_the_other() -> None:
    bridge = Bridge(Limits(max_concurrent_tools=1))

    async def slow() -> Any:
        await asyncio.sleep(0.001)
        return {"receipt": "R"}

    async def main() -> None:
        worlds = [World({"pay": [slow]}) for _ in range(3)]
        runs = [AsyncRuntime(parsed(desk_program()), async_host_of(world), bridge=bridge) for world in worlds]
        await asyncio.gather(*(each.run() for each in runs))
        assert [world.count() for world in worlds] == [1, 1, 1]

    run(main)
    run(main)


def test_a_permit_violation_ends_the_run_and_gives_the_journal_up() -> None:
    desk = AsyncDesk(world=World({"pay": [PermitError("no")]}))
    with pytest.raises(PermitError):
        run(desk.runtime().run)
    assert [entry["kind"] for entry in desk.entries][-1] == "intent"
    again = DurableRun(parsed(desk.text), host_of(desk.world), store=desk.store)  # the same store, no longer locked
    again.run()
    assert again.status == "ended, in doubt"


def test_a_person_who_has_not_answered_yet_ends_the_run() -> None:
    desk = AsyncDesk(desk_program(policy="REQUIRE APPROVAL FOR pay"))
    with pytest.raises(WaitingForPerson):
        run(desk.runtime(async_host_of(desk.world, approve=PENDING)).run)
    run(desk.runtime(async_host_of(desk.world, approve=True)).run)
    assert desk.world.count() == 1


def test_another_program_s_answers_are_a_divergence_and_nothing_is_called() -> None:
    desk = AsyncDesk(desk_program(ticks=2))
    run(desk.runtime().run)
    count = desk.world.count()
    other = AsyncRuntime(
        parsed(desk_program('pay(amount = 41, to = "Bern")', ticks=2)),
        async_host_of(desk.world),
        store=desk.store.crashed(),
        any_program=True,
    )
    with pytest.raises(ReplayDivergence):
        run(other.run)
    assert desk.world.count() == count


def test_a_storage_failure_ends_the_run_before_the_call() -> None:
    class Full(MemoryStore):
        def append_many(self, lines: Any, *, flush: bool) -> None:
            if b'"intent"' in b"".join(lines):
                raise StorageFailure("disk full")
            super().append_many(lines, flush=flush)

    world = World()
    with pytest.raises(StorageFailure):
        run(AsyncRuntime(parsed(desk_program()), async_host_of(world), store=Full()).run)
    assert world.calls == []


def test_a_sync_function_holds_up_no_other_run() -> None:
    host, ticks = AsyncHost(), 0
    host.sensors["account.frozen"] = lambda: time.sleep(0.05)
    host.tools["pay"] = lambda amount, to: {"receipt": "R"}

    async def main() -> None:
        nonlocal ticks
        task = asyncio.create_task(AsyncRuntime(parsed(desk_program()), host).run())
        while not task.done():
            ticks += 1
            await asyncio.sleep(0.001)
        await task

    run(main)
    assert ticks > 5


def test_a_run_that_awaits_nothing_lets_others_have_their_turn() -> None:
    agent = parse_source("AGENT A { BELIEF { n = 0 } LOOP MAX 100 { SET n = n + 1 } }").agents[0]
    turns = 0

    async def main() -> None:
        nonlocal turns
        task = asyncio.create_task(AsyncRuntime(agent).run())
        while not task.done():
            turns += 1
            await asyncio.sleep(0)

    run(main)
    assert turns > 50


def test_the_clock_of_the_wall_has_no_say_in_time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """P-J1: a wall clock that jumps, forwards or backwards, ends no call."""
    jumps = iter(range(10**6))
    monkeypatch.setattr(time, "time", lambda: 3600.0 * (-1) ** next(jumps))
    monkeypatch.setattr(time, "time_ns", lambda: int(3600e9) * (2 + (-1) ** next(jumps)))

    async def slow() -> Any:
        await asyncio.sleep(0.02)
        return {"receipt": "R"}

    world = World({"pay": [slow]})
    result = run(AsyncRuntime(parsed(desk_program()), async_host_of(world), limits=Limits(tool_timeout=30)).run)
    assert result.metrics["tool_failures"] == 0


def test_an_async_function_on_a_sync_run_is_refused_and_not_called() -> None:
    world = World()
    desk = AsyncDesk(world=world)
    run_of = desk.process(async_host_of(world, idempotent=True))
    assert world.calls == []
    assert desk.errors == ["NotApplied"]
    assert "AsyncRuntime" in run_of.trace_text()


def test_a_call_goes_on_while_others_are_awaited() -> None:
    """Two runs in one loop: one waits inside a tool while the other runs to its end."""
    gate = asyncio.Event()

    async def wait() -> Any:
        await gate.wait()
        return {"receipt": "R"}

    async def main() -> None:
        waiting, quick = World({"pay": [wait]}), World()
        task = asyncio.create_task(AsyncRuntime(parsed(desk_program()), async_host_of(waiting)).run())
        await soon(lambda: waiting.count() == 1)
        await AsyncRuntime(parsed(desk_program()), async_host_of(quick)).run()
        assert not task.done()
        gate.set()
        await task

    run(main)


def test_an_agent_run_inside_a_sub_agent_acts_under_permits_of_its_own() -> None:
    inner, seen = AsyncHost(), []
    action = current_action

    @inner.tool("pay")
    async def pay(amount: Any, to: Any) -> Any:
        seen.append(action())
        return {"receipt": "R"}

    outer = AsyncHost()

    @outer.subagent("helper")
    async def helper(payload: dict[str, Any]) -> Any:
        await AsyncRuntime(parsed(desk_program()), inner, run_id="inner").run()
        seen.append(action())
        return {}

    agent = parse_source("AGENT A { TOOL helper { RISK LOW } PLAN p WHEN 1 == 1 { DELEGATE helper { } } }").agents[0]
    run(lambda: AsyncRuntime(agent, outer, run_id="outer", limits=Limits(tool_timeout=60)).run(1))
    assert [each.action_id for each in seen] == ["inner:DESK:t1:a1", "outer:A:t1:a1"]


def test_an_interrupt_inside_a_tool_ends_the_run_and_is_no_result() -> None:
    desk = AsyncDesk(world=World({"pay": [KeyboardInterrupt()]}))
    with pytest.raises(KeyboardInterrupt):
        run(desk.runtime().run)
    assert [entry["kind"] for entry in desk.entries][-1] == "intent"
