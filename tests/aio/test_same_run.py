"""The async driver and the sync one are one road: same world, same bytes; either goes on where the other was cut."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentl.durable import NOT_EXECUTED, DurableRun, MemoryStore, RunOptions
from agentl.durable.async_runtime import AsyncRuntime
from agentl.hosting.async_host import AsyncHost
from agentl.hosting.host import Host
from agentl.hosting.outcomes import OutcomeUnknown
from agentl.hosting.registry import Registry
from agentl.ir.program import Agent
from agentl.journal.stores.contract import Store
from agentl.syntax.parser import parse_source
from tests.aio.kit import AsyncDesk, async_host_of, run
from tests.durable.kit import Clocks, Desk, Killed, World, desk_program, host_of, lines
from tests.runtime.model import Scripted
from tests.runtime.random_programs import programs, worlds
from tests.runtime.world import InDoubt, Script


def played(script: Script) -> Any:
    item = script.take()
    try:
        if isinstance(item, Exception):
            raise item
        return item() if callable(item) and not isinstance(item, type) else item
    except InDoubt as doubt:
        raise OutcomeUnknown(str(doubt)) from doubt


def populated(host: Registry, script: Any) -> Any:
    """A host that says what the script says, the functions being async on an AsyncHost."""
    is_async = isinstance(host, AsyncHost)
    host.one_at_a_time = True  # scripts are taken in the order of the calls

    def saying(items: list[Any]) -> Any:
        answers = Script(*items)

        async def later(*args: Any, **named: Any) -> Any:
            return played(answers)

        return later if is_async else lambda *args, **named: played(answers)

    sensors, tools, agrees, said = script
    for path, items in sensors.items():
        host.sensors[path] = saying(items)
    for name, items in tools.items():
        host.tools[name] = saying(items)
    host.subagents["helper"] = saying(said["helper"])
    host.approver = saying([agrees])
    host.emit("ping", k=1, n=5)
    return host, Scripted(Script(*said["reason"]), Script(*said["judge"]), Script(*said["plan"]))


def sync_run(agent: Agent, script: Any, store: Store, ticks: int) -> DurableRun:
    host, model = populated(Host(), script)
    options = RunOptions(allow_missing_tools=True)
    run = DurableRun(agent, host, model, store=store, run_id="same", clocks=Clocks(), options=options)
    run.run(ticks)
    return run


def async_run(agent: Agent, script: Any, store: Store, ticks: int) -> DurableRun:
    host, model = populated(AsyncHost(), script)
    options = RunOptions(allow_missing_tools=True)
    runtime = AsyncRuntime(agent, host, model, store=store, run_id="same", clocks=Clocks(), options=options)
    run(lambda: runtime.run(ticks))
    assert runtime.durable is not None
    return runtime.durable


@given(programs(), worlds())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_program_writes_the_same_journal_to_the_byte(body: str, script: Any) -> None:
    agent = parse_source(f"AGENT A {{ {body} }}").agents[0]
    one, other = MemoryStore(), MemoryStore()
    first, second = sync_run(agent, script, one, 2), async_run(agent, script, other, 2)
    assert second.trace_text() == first.trace_text()
    assert bytes(other.data) == bytes(one.data)


@given(programs(), worlds(), st.booleans(), st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_journal_cut_anywhere_is_derived_by_the_other_driver(
    body: str, script: Any, async_first: bool, data: st.DataObject
) -> None:
    agent = parse_source(f"AGENT A {{ {body} }}").agents[0]
    begin, go_on = (async_run, sync_run) if async_first else (sync_run, async_run)
    whole = MemoryStore()
    first = begin(agent, script, whole, 2)
    again = go_on(agent, script, whole.crashed(), 2)
    assert again.trace_text() == first.trace_text()
    cut = whole.crashed()
    line_ends = [index + 1 for index, byte in enumerate(cut.data) if byte == 10][2:]
    del cut.data[data.draw(st.sampled_from(line_ends)) :]
    cut.head = None
    assert go_on(agent, script, cut, 2).status in ("completed", "ended, in doubt")


PLAN = 'pay(amount = 1, to = "a") pay(amount = 2, to = "b") note(text = "end")'


@pytest.mark.parametrize("async_first", [True, False])
@pytest.mark.parametrize("killed_at", [0, 1])
@pytest.mark.parametrize(
    "host", [{"idempotent": True}, {"reconcile": NOT_EXECUTED}, {}], ids=["key", "look up", "none"]
)
def test_what_one_driver_began_the_other_settles(async_first: bool, killed_at: int, host: dict[str, Any]) -> None:
    script: list[Any] = [{"receipt": "R-1"}, {"receipt": "R-2"}, {"receipt": "R-3"}]
    script.insert(killed_at, Killed())
    desk = AsyncDesk(desk_program(PLAN), World({"pay": script, "note": [None]}))
    if async_first:
        with suppress(Killed):
            run(lambda: desk.runtime(async_host_of(desk.world, **host)).run())
        status = desk.process(host_of(desk.world, **host)).status
    else:
        desk.process(host_of(desk.world, **host))
        runtime = desk.runtime(async_host_of(desk.world, **host))
        run(runtime.run)
        assert runtime.durable is not None
        status = runtime.durable.status
    assert desk.resolutions == [next(iter(desk.resolutions))]
    how = {"idempotent": "retry", "reconcile": "not_executed"}.get(next(iter(host), ""), "in_doubt")
    assert desk.resolutions == [how]
    assert desk.world.effects() == 2
    assert status == ("ended, in doubt" if how == "in_doubt" else "completed")


def test_a_look_up_that_must_wait_waits_for_the_clock_that_was_given() -> None:
    desk = AsyncDesk(desk_program(), World({"pay": [Killed(), {"receipt": "R"}]}))
    host = {"reconcile": NOT_EXECUTED, "after_s": 7.0}
    desk.process(host_of(desk.world, **host))
    run(lambda: desk.runtime(async_host_of(desk.world, **host)).run())
    assert desk.clocks.slept == [pytest.approx(7.0, abs=0.01)]
    assert desk.resolutions == ["not_executed"]


def test_a_plain_host_is_driven_asynchronously_too() -> None:
    desk, twin = AsyncDesk(), Desk()
    runtime = desk.runtime(host_of(desk.world), run_id="same")
    run(runtime.run)
    twin.process(run_id="same")
    assert runtime.durable is not None
    assert desk.world.calls == twin.world.calls
    assert lines(runtime.durable, "TOOL") == ["[1] TOOL pay(amount=40, to=Zürich) (risk=LOW)"]
