"""AsyncMCPHost: the same calls awaited, side by side, given up, and in a durable run that either driver resumes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agentl.durable.async_runtime import AsyncRuntime
from agentl.durable.run import DurableRun
from agentl.hosting.mcp import AsyncMCPHost, mcp_host
from agentl.hosting.mcp.catalogue import Catalogue
from agentl.journal.stores.memory import MemoryStore
from tests.aio.kit import run
from tests.hosting.mcp.kit import TRANSFER, Bank, Served, program_that


@pytest.fixture
def host(served: Served, catalogue: Catalogue) -> Iterator[AsyncMCPHost]:
    host = AsyncMCPHost()
    host.connect(served.url, "bank", pinned=catalogue.digest, idempotent={"bank__transfer"})
    yield host
    host.close()


@asynccontextmanager
async def called(bank: Bank, tool: str, times: int) -> AsyncIterator[None]:
    """Once the bank has had so many calls more."""
    before = len(bank.calls(tool))
    yield
    async with asyncio.timeout(20):
        while len(bank.calls(tool)) < before + times:
            await asyncio.sleep(0.02)


def test_a_run_awaits_its_tools(host: AsyncMCPHost, bank: Bank, catalogue: Catalogue) -> None:
    before = len(bank.calls("transfer"))
    runtime = run(AsyncRuntime(program_that(TRANSFER, catalogue), host).run)
    assert runtime.state.get("paid.receipt") == "R-7"
    (sent,) = bank.calls("transfer")[before:]
    assert len(sent["meta"]["agentl/idempotency-key"]) == 32


def test_runs_call_side_by_side(host: AsyncMCPHost, bank: Bank, catalogue: Catalogue) -> None:
    program = program_that("bank__hang(seconds = 3)", catalogue)

    async def both() -> None:
        async with called(bank, "hang", 2):
            runs = [asyncio.create_task(AsyncRuntime(program, host).run()) for _ in range(2)]
        assert not any(one.done() for one in runs)  # both are there before either has its answer
        await asyncio.gather(*runs)

    run(both)


def test_a_run_that_is_cancelled_gives_its_call_up_and_the_host_goes_on(
    host: AsyncMCPHost, bank: Bank, catalogue: Catalogue
) -> None:
    async def cancelled() -> str:
        async with called(bank, "hang", 1):
            hanging = asyncio.create_task(AsyncRuntime(program_that("bank__hang(seconds = 3)", catalogue), host).run())
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        runtime = await AsyncRuntime(program_that(TRANSFER, catalogue), host).run()
        return str(runtime.state.get("paid.receipt"))

    assert run(cancelled) == "R-7"


def test_a_durable_run_cut_short_in_a_call_is_resumed_by_either_driver_with_the_same_key(
    host: AsyncMCPHost, served: Served, bank: Bank, catalogue: Catalogue
) -> None:
    program, store = program_that(TRANSFER, catalogue), MemoryStore()
    before = len(bank.calls("transfer"))

    async def cut() -> None:
        with bank.faulty(tools_call={"type": "application/json", "after": True, "hold": 30}):
            async with called(bank, "transfer", 1):
                task = asyncio.create_task(AsyncRuntime(program, host, store=store, run_id="r").run())
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(cut)
    synchronous = mcp_host(served.url, "bank", pinned=catalogue.digest, idempotent={"bank__transfer"})
    runtime = DurableRun(program, synchronous, store=store.crashed(), run_id="r").run()
    synchronous.close()
    sent = bank.calls("transfer")[before:]
    assert len(sent) == 2 and len({call["meta"]["agentl/idempotency-key"] for call in sent}) == 1
    assert runtime.state.get("paid.receipt") == "R-7"


def test_a_server_that_dies_in_a_call_leaves_the_action_in_doubt(tmp_path: Path, catalogue: Catalogue) -> None:
    bank = Bank(tmp_path)
    with bank.served("http") as served:
        host = AsyncMCPHost()
        host.connect(served.url, "bank", pinned=catalogue.digest)
        dying = AsyncRuntime(program_that("bank__die()", catalogue), host, store=MemoryStore(), run_id="r")
        runtime = run(dying.run)
        host.close()
    assert runtime.state.get("tools.bank__die.in_doubt") is True
    assert dying.durable is not None and dying.durable.status == "ended, in doubt"
    assert len(bank.calls("die")) == 1
