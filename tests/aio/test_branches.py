"""PARALLEL in an asynchronous run: the journal of the sync driver, byte for byte, and one driver after the other."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from agentl.aio import AsyncHost, AsyncRuntime, Limits
from agentl.durable import DurableRun, MemoryStore
from agentl.hosting.host import Host
from agentl.hosting.registry import Registry
from agentl.journal.inspection import inspect
from agentl.kernel import current_action
from agentl.syntax.parser import parse_source
from tests.aio.kit import run, soon
from tests.durable.kit import Clocks, Killed

ENRICH = parse_source(
    """AGENT ENRICH {
    TOOL look { INPUT { name: String } OUTPUT { found: Int } RISK LOW }
    TOOL score { INPUT { name: String } OUTPUT { points: Int } RISK LOW }
    TOOL tell { INPUT { points: Number } RISK LOW }
    PLAN go WHEN 1 == 1 {
        PARALLEL { BRANCH a { look(name = "x") look(name = "y") } BRANCH b { score(name = "x") } }
        tell(points = score.points)
    }
    LOOP MAX 2 { SELECT_PLAN EXECUTE }
}"""
).agents[0]
CALLS = 8


def offered(host: Registry, made: list[Any], die_at: int = 0) -> Any:
    """A host whose tools count what they do by key; one call kills the process after its effect."""
    host.one_at_a_time = True  # the calls are counted in the order of the program

    def offer(name: str, result: Any) -> None:
        def act(**args: Any) -> Any:
            action = current_action()
            assert action is not None
            made.append((name, action.action_id, action.idempotency_key))
            if len(made) == die_at:
                raise Killed
            return result

        async def later(**args: Any) -> Any:
            return act(**args)

        host.tool(name, idempotent=True)(later if isinstance(host, AsyncHost) else act)

    for name, result in (("look", {"found": 1}), ("score", {"points": 2}), ("tell", None)):
        offer(name, result)
    return host


def begin(is_async: bool, store: MemoryStore, made: list[Any], die_at: int = 0) -> str:
    named: dict[str, Any] = {"store": store, "run_id": "same", "clocks": Clocks()}
    if is_async:
        runtime = AsyncRuntime(ENRICH, offered(AsyncHost(), made, die_at), **named)
        run(runtime.run)
        assert runtime.durable is not None
        return runtime.durable.trace_text()
    sync = DurableRun(ENRICH, offered(Host(), made, die_at), **named)
    sync.run()
    return sync.trace_text()


def test_branches_write_the_same_journal_to_the_byte() -> None:
    stores, calls = (MemoryStore(), MemoryStore()), ([], [])  # type: ignore[var-annotated]
    texts = [begin(is_async, stores[is_async], calls[is_async]) for is_async in (False, True)]
    assert texts[0] == texts[1]
    assert calls[0] == calls[1]
    assert len(calls[0]) == CALLS
    assert stores[0].data == stores[1].data


def test_cancelled_with_branches_that_wait_only_what_was_called_has_no_result() -> None:
    branches = " ".join(f"BRANCH n{place} {{ tell(points = {place}) }}" for place in range(9))
    agent = parse_source(f"""AGENT MANY {{
        TOOL tell {{ INPUT {{ points: Number }} RISK LOW }}
        PLAN go WHEN 1 == 1 {{ PARALLEL {{ {branches} }} }}
        LOOP MAX 1 {{ SELECT_PLAN EXECUTE }}
    }}""").agents[0]
    store, called = MemoryStore(), []  # type: ignore[var-annotated]
    host = AsyncHost()

    @host.tool("tell")
    async def tell(points: Any) -> None:
        called.append(points)
        await asyncio.Event().wait()

    async def cut_short() -> None:
        runtime = AsyncRuntime(agent, host, store=store, limits=Limits(max_concurrent_tools=3))
        task = asyncio.create_task(runtime.run())
        await soon(lambda: len(called) == 3)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    run(cut_short)
    assert called == [0, 1, 2]
    assert [action.action_id.partition("go/")[2] for action in inspect(store).pending] == [
        "0.n0:a1",
        "0.n1:a1",
        "0.n2:a1",
    ]


@pytest.mark.parametrize("async_first", [True, False])
@pytest.mark.parametrize("die_at", range(1, CALLS + 1))
def test_a_run_killed_in_any_branch_is_gone_on_with_by_the_other_driver(die_at: int, async_first: bool) -> None:
    store, made = MemoryStore(), []  # type: ignore[var-annotated]
    with suppress(Killed):
        begin(async_first, store, made, die_at)
    text = begin(not async_first, store.crashed(), made)
    assert text == begin(True, MemoryStore(), [])
    effects = Counter(key for _, _, key in made)
    assert (len(effects), sum(effects.values())) == (CALLS, CALLS + 1)
