"""Time limits of an asynchronous run, by kind (semantics.md §25), and calls that outlive theirs (decision 8)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agentl.aio import AsyncHost, AsyncRuntime, Limits
from agentl.durable import NOT_EXECUTED
from agentl.durable.runtime import Runtime
from agentl.hosting.llm import LLM, MockLLM
from agentl.syntax.parser import parse_source
from agentl.values import UNDEFINED, Symbol
from tests.aio.kit import LIMIT_S, AsyncDesk, async_host_of, run
from tests.durable.kit import Killed, World, desk_program, host_of, lines


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentl.durable.driver.GRACE_S", 0.05)


async def never(*args: Any, **named: Any) -> Any:
    """Is cancelled or goes on for ever."""
    await asyncio.Event().wait()


def plan(body: str, more: str = "", phases: str = "OBSERVE UPDATE_BELIEFS RECEIVE SELECT_PLAN EXECUTE") -> Any:
    text = f"AGENT A {{ {more} PLAN p WHEN 1 == 1 {{ {body} }} LOOP MAX 1 {{ {phases} }} }}"
    return parse_source(text).agents[0]


def ran(agent: Any, host: AsyncHost, llm: Any = None, **limits: Any) -> Runtime:
    return run(lambda: AsyncRuntime(agent, host, llm, limits=Limits(**limits)).run())


def test_a_sensor_that_does_not_answer_in_time_is_silent() -> None:
    host = AsyncHost()
    host.sensors["slow.one"] = never
    host.sensors["quick.one"] = lambda: 7
    runtime = ran(plan("SET x = 1", "OBSERVE { slow.one quick.one }"), host, read_timeout=LIMIT_S)
    assert runtime.metrics["sensor_unknown"] == 1
    assert (runtime.state.get("slow.one"), runtime.state.get("quick.one")) == (UNDEFINED, 7)
    assert runtime.trace.of_kind("ERROR")[0].text == f"BoundaryTimeout: no answer within {LIMIT_S:g} s"


def test_a_sync_sensor_that_never_returns_is_silent_and_holds_up_nobody() -> None:
    host, let_go = AsyncHost(), threading.Event()
    host.sensors["slow.one"] = let_go.wait
    runtime = ran(plan("SET x = 1", "OBSERVE { slow.one }"), host, read_timeout=LIMIT_S)
    let_go.set()
    assert runtime.state.get("slow.one") is UNDEFINED


def test_an_event_queue_that_does_not_answer_in_time_is_empty() -> None:
    class Slow(AsyncHost):
        async def drain(self) -> Any:
            await never()

    agent = plan("SET x = 1", "EVENT ping { SET seen = yes }", "SELECT_PLAN EXECUTE")
    runtime = ran(agent, Slow(), read_timeout=LIMIT_S)
    assert runtime.state.get("seen") is UNDEFINED
    assert runtime.state.get("x") == 1


def test_the_sensor_s_own_time_out_is_its_own() -> None:
    host = AsyncHost()

    async def probe() -> Any:
        raise TimeoutError("probe")

    host.sensors["slow.one"] = probe
    runtime = ran(plan("SET x = 1", "OBSERVE { slow.one }"), host, read_timeout=60)
    assert runtime.trace.of_kind("ERROR")[0].text == "TimeoutError: probe"


def test_a_model_that_does_not_answer_in_time_has_answered_nothing() -> None:
    class Slow(MockLLM):
        async def reason(self, *args: Any) -> Any:
            await never()

    agent = plan('REASON "r" { TASK "t" PRODUCE { kind: Symbol IN [bill, junk] DEFAULT junk } }')
    runtime = ran(agent, AsyncHost(), Slow(), llm_timeout=LIMIT_S)
    assert runtime.state.get("kind") == Symbol("junk")
    assert runtime.state.get("reason.degraded") is True


@pytest.mark.parametrize(("limit", "stated"), [(LIMIT_S, ""), (60, "TIMEOUT 0.02"), (None, "TIMEOUT 0.02")])
def test_a_person_who_does_not_answer_in_time_gives_the_default(limit: float | None, stated: str) -> None:
    host = AsyncHost()
    host.asker = never
    agent = plan(f'ASK boss {{ QUESTION "go on?" {stated} DEFAULT no }}')
    runtime = ran(agent, host, human_timeout=limit)
    assert runtime.state.get("answer") == Symbol("no")


def test_an_approval_that_does_not_come_in_time_is_refused() -> None:
    desk = AsyncDesk(desk_program(policy="REQUIRE APPROVAL FOR pay"))
    host = async_host_of(desk.world)
    host.approver = never
    runtime = desk.runtime(host, limits=Limits(human_timeout=LIMIT_S))
    run(runtime.run)
    assert desk.world.count() == 0
    assert runtime.runtime is not None
    assert runtime.runtime.metrics["blocked"] == 1
    assert desk.of_kind("intent") == []


@pytest.mark.parametrize("idempotent", [False, True])
def test_a_tool_at_its_limit_is_in_doubt_still_under_way_and_never_repeated(idempotent: bool) -> None:
    desk = AsyncDesk(desk_program(ticks=2), World({"pay": [never]}))
    host = async_host_of(desk.world, idempotent=idempotent)
    runtime = desk.runtime(host, limits=Limits(tool_timeout=LIMIT_S))
    run(runtime.run, left=1)
    assert runtime.durable is not None
    assert desk.world.count() == 1
    assert desk.resolutions == ["in_doubt"]
    assert desk.of_kind("resolution")[0]["under_way"] is True
    assert runtime.is_call_under_way
    assert (runtime.durable.status, runtime.durable.is_in_doubt) == ("ended, in doubt", True)
    assert [line.count("still under way") for line in lines(runtime.durable, "BLOCKED")] == [1]


def test_the_tool_s_own_limit_comes_before_the_general_one() -> None:
    desk = AsyncDesk(world=World({"pay": [never]}))
    run(desk.runtime(async_host_of(desk.world, timeout_s=LIMIT_S), limits=Limits(tool_timeout=60)).run, left=1)
    assert desk.resolutions == ["in_doubt"]


def test_a_tool_that_answers_in_time_is_done() -> None:
    async def answer() -> Any:
        await asyncio.sleep(0)
        return {"receipt": "R-9"}

    desk = AsyncDesk(world=World({"pay": [answer]}))
    runtime = desk.runtime(limits=Limits(tool_timeout=60))
    result = run(runtime.run)
    assert result.state.get("pay.receipt") == "R-9"
    assert desk.resolutions == []


def test_a_late_result_is_noted_and_never_used() -> None:
    gate = asyncio.Event()

    async def late() -> Any:
        await gate.wait()
        return {"receipt": "R-late"}

    async def open_the_gate() -> None:
        gate.set()

    text = desk_program('pay(amount = 40, to = "a") note(text = "go on")')
    desk = AsyncDesk(text, World({"pay": [late], "note": [open_the_gate]}))
    runtime = desk.runtime(async_host_of(desk.world, timeout_s=LIMIT_S))
    result = run(runtime.run)
    (noted,) = desk.of_kind("late")
    assert noted["value"] == {"receipt": "R-late"}
    assert noted["action_id"] == desk.world.calls[0].action_id
    assert result.state.get("pay.receipt") is UNDEFINED
    assert [told.how for told in desk.told] == ["in_doubt", "late"]
    assert not runtime.is_call_under_way


def test_the_look_up_is_asked_even_when_the_hanging_call_had_the_only_place() -> None:
    desk = AsyncDesk(world=World({"pay": [never]}))
    host = async_host_of(desk.world, reconcile={"receipt": "R-found"}, after_s=7.0)
    limits = Limits(max_concurrent_tools=1, tool_timeout=LIMIT_S)
    runtime = desk.runtime(host, limits=limits)
    result = run(runtime.run, left=1)
    assert desk.clocks.slept == [pytest.approx(7.0, abs=0.01)]
    assert result.state.get("pay.receipt") == "R-found"
    assert runtime.durable is not None
    assert (runtime.durable.status, runtime.durable.is_in_doubt) == ("completed", True)


@pytest.mark.parametrize("answer", [NOT_EXECUTED, None, never])
def test_a_look_up_without_an_answer_is_no_proof_while_the_call_runs(answer: Any) -> None:
    desk = AsyncDesk(world=World({"pay": [never]}))
    runtime = desk.runtime(async_host_of(desk.world, reconcile=answer), limits=Limits(tool_timeout=LIMIT_S))
    run(runtime.run, left=1)
    assert desk.world.count() == 1
    assert desk.resolutions == ["in_doubt"]


def test_a_sub_agent_at_its_limit_is_in_doubt() -> None:
    host = AsyncHost()
    host.subagents["helper"] = never
    agent = plan("DELEGATE helper { }", "TOOL helper { RISK LOW }")

    async def main() -> Runtime:
        return await AsyncRuntime(agent, host, limits=Limits(tool_timeout=LIMIT_S)).run()

    runtime = run(main, left=1)
    assert runtime.state.get("tools.helper.in_doubt") is True


@pytest.fixture
def held() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_sync_tool_at_its_limit_goes_on_in_its_thread_and_does_not_keep_the_process(held: threading.Event) -> None:
    desk = AsyncDesk(world=World({"pay": [lambda: held.wait(30)]}))
    others = set(threading.enumerate())
    runtime = desk.runtime(host_of(desk.world, timeout_s=LIMIT_S))
    run(runtime.run, left=1)
    assert desk.resolutions == ["in_doubt"]
    assert runtime.is_call_under_way
    assert [thread.daemon for thread in set(threading.enumerate()) - others] == [True]


def test_the_next_process_may_use_the_key_again() -> None:
    text = desk_program('pay(amount = 40, to = "a") note(text = "x")', ticks=2)
    desk = AsyncDesk(text, World({"pay": [never, {"receipt": "R-2"}], "note": [Killed(), None]}))
    with pytest.raises(Killed):
        run(desk.runtime(async_host_of(desk.world, timeout_s=LIMIT_S, idempotent=True)).run, left=1)
    run(desk.runtime(async_host_of(desk.world, idempotent=True)).run)
    assert (desk.world.count(), desk.world.effects()) == (2, 1)


def test_waiting_for_a_place_is_no_time_of_the_call() -> None:
    """Two agents, one place: the second waits longer than its limit, and is not timed out."""
    program = parse_source(
        " ".join(
            f"AGENT {name} {{ TOOL pay {{ RISK LOW }} PLAN p WHEN 1 == 1 {{ pay() }} }}" for name in ("ONE", "TWO")
        )
    )
    from agentl.aio import AsyncSociety

    host = AsyncHost()

    @host.tool("pay")
    async def pay() -> Any:
        await asyncio.sleep(0.06)
        return {}

    society = AsyncSociety(program, host, limits=Limits(max_concurrent_tools=1, tool_timeout=0.1))
    run(lambda: society.run(1))
    assert society.metrics["tool_calls"] == 2
    assert society.metrics["tool_failures"] == 0


def test_a_base_class_without_judge_of_its_own_is_asked_through_its_async_reason() -> None:
    class Only(LLM):
        async def reason(self, task: str, context: Any, produce: Any) -> Any:
            return dict.fromkeys(produce, True)

    agent = plan('JUDGE { TASK "check" late: NOUL "Is it late?" DEFAULT false }')
    assert ran(agent, AsyncHost(), Only()).state.get("late") is True
