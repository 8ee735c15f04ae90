"""run_async: a DurableRun awaited; societies, models and whole examples are the same run under either driver."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from threading import get_ident, local
from typing import Any

import pytest

from agentl.aio import Limits, run_async
from agentl.durable import MemoryStore
from agentl.durable.run import DurableRun
from agentl.hosting.loading import load_host
from agentl.journal.inspection import inspect
from agentl.syntax.parser import parse_file, parse_source
from agentl.testing.clocks import SettableClocks
from tests.aio.awaited import AwaitedHost, awaited_host
from tests.aio.kit import AsyncDesk, async_host_of, run, soon
from tests.durable.kit import Desk, World, host_of, parsed
from tests.durable.test_society import LINE, Killed
from tests.durable.test_society import World as Line
from tests.examples.worlds import ENDS, program_of


def journal_of(name: str, effects: Path, monkeypatch: pytest.MonkeyPatch, *, is_async: bool) -> bytes:
    """The bytes an example writes in a world of its own, called or awaited."""
    monkeypatch.setenv("AGENTL_EFFECTS", str(effects))
    given, store = load_host(program_of(name)), MemoryStore()
    hosts: Any = dict(given.hosts) if given.is_society else given.host
    for host in hosts.values() if given.is_society else (hosts,):
        host.one_at_a_time = True  # whichever branch is answered first has no order
    if is_async:
        hosts = {agent: AwaitedHost(host) for agent, host in hosts.items()} if given.is_society else AwaitedHost(hosts)
    program, models = parse_file(program_of(name)), dict(given.models) or given.model
    durable = DurableRun(program, hosts, models, store=store, run_id="same", clocks=SettableClocks())
    if is_async:
        run(lambda: run_async(durable))
    else:
        durable.run()
    assert inspect(store).terminal is not None
    return bytes(store.data)


@pytest.mark.parametrize("name", ENDS)
def test_every_example_writes_the_same_journal_to_the_byte(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = journal_of(name, tmp_path / "one", monkeypatch, is_async=False)
    awaited = journal_of(name, tmp_path / "other", monkeypatch, is_async=True)
    assert awaited == called
    assert (tmp_path / "other").read_bytes() == (tmp_path / "one").read_bytes()


@pytest.mark.parametrize("dies_in", ["", "pick", "pack", "tell"])
@pytest.mark.parametrize("async_first", [True, False])
def test_a_society_begun_by_one_driver_is_finished_by_the_other(dies_in: str, async_first: bool) -> None:
    world, store, program = Line(dies_in), MemoryStore(), parse_source(LINE)

    def process(is_async: bool) -> DurableRun:
        nonlocal store
        store = store.crashed()
        hosts = {name: awaited_host(host) if is_async else host for name, host in world.hosts().items()}
        durable = DurableRun(program, hosts, store=store, run_id="line", clocks=SettableClocks())
        with suppress(Killed):
            if is_async:
                run(lambda: run_async(durable))
            else:
                durable.run()
        return durable

    process(async_first)
    ended = process(not async_first)
    assert ended.status == "completed"
    undisturbed = Line()
    DurableRun(program, undisturbed.hosts(), store=MemoryStore(), run_id="line").run()
    assert world.effects == undisturbed.effects


REASON = """\
AGENT a {
    PLAN p WHEN TRUE { REASON { TASK "think" PRODUCE { c: Number } } }
    LOOP MAX 2 { SELECT_PLAN EXECUTE }
}
"""


class ByThread:
    """An adapter that keeps what it tells of its last call for each thread, as PydanticAILLM does."""

    def __init__(self, fails: bool = False) -> None:
        self._said, self._fails, self.threads = local(), fails, set[int]()

    @property
    def last_usage(self) -> Any:
        return getattr(self._said, "usage", None)

    @property
    def last_reason_missing(self) -> Any:
        return getattr(self._said, "missing", None)

    def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
        self.threads.add(get_ident())
        self._said.usage, self._said.missing = {"input_tokens": 7}, []
        if self._fails:
            raise ValueError("the provider is away")
        return {"c": 1}


@pytest.mark.parametrize("fails", [False, True])
def test_what_an_adapter_keeps_by_thread_reaches_the_journal(fails: bool) -> None:
    program = parse_source(REASON)
    model, called, store = ByThread(fails), MemoryStore(), MemoryStore()
    DurableRun(program, None, ByThread(fails), store=called, run_id="same", clocks=SettableClocks()).run()
    durable = DurableRun(program, None, model, store=store, run_id="same", clocks=SettableClocks())
    run(lambda: run_async(durable))
    assert bytes(store.data) == bytes(called.data)
    asked = [entry for entry in inspect(store).entries if entry["kind"] == "reason"]
    assert [entry["usage"]["$dict"] for entry in asked] == [[["input_tokens", 7]]] * 2
    assert get_ident() not in model.threads


@pytest.mark.parametrize("limit", [None, 60.0])
@pytest.mark.parametrize("is_async", [True, False])
def test_a_tool_that_exits_has_not_said_how_its_call_ended(limit: float | None, is_async: bool) -> None:
    desk, called = AsyncDesk(world=World({"pay": [SystemExit(3)]})), Desk(world=World({"pay": [SystemExit(3)]}))
    host = async_host_of(desk.world) if is_async else host_of(desk.world)
    run(lambda: desk.runtime(host, limits=Limits(tool_timeout=limit)).run())
    called.process()
    assert desk.resolutions == called.resolutions == ["in_doubt"]
    assert desk.errors == called.errors


def test_a_cancelled_run_leaves_its_journal_to_the_next_one() -> None:
    async def cut_short() -> None:
        desk.world.script["pay"] = [asyncio.Event().wait]
        durable = DurableRun(parsed(desk.text), async_host_of(desk.world, idempotent=True), store=desk.store)
        task = asyncio.create_task(run_async(durable))
        await soon(lambda: desk.world.count() == 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    desk = AsyncDesk(store=MemoryStore())
    run(cut_short)
    assert [entry["kind"] for entry in inspect(desk.store).entries][-1] == "intent"
    desk.world.script["pay"] = [{"receipt": "R"}]
    desk.process(host_of(desk.world, idempotent=True))
    assert (desk.resolutions, desk.world.effects()) == (["retry"], 1)
