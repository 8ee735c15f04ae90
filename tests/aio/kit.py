"""What the tests of asynchronous runs share: a loop that ends clean, hosts over the world of the durable tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from agentl.durable.async_runtime import AsyncRuntime
from agentl.hosting.async_host import AsyncHost
from tests.durable.kit import Desk, World, _played, parsed

Result = TypeVar("Result")
LIMIT_S = 0.02  # a time limit that is meant to pass


def run(main: Callable[[], Coroutine[Any, Any, Result]], *, left: int = 0) -> Result:
    """Run a test in a loop of its own; when it ends exactly `left` tasks are still there, and no error went unseen."""

    async def whole() -> Result:
        unseen: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
        result = await main()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert len(others) == left, others
        assert unseen == []
        return result

    return asyncio.run(whole())


async def soon(condition: Callable[[], bool]) -> None:
    """Let the others run until something holds; fails when it does not within five seconds."""
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0)


async def idle(turns: int = 30) -> None:
    """Let the others run until there is nothing left that they could do at once."""
    for _ in range(turns):
        await asyncio.sleep(0)


class Door:
    """Calls come in and wait to be let out; what went on at once is counted."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.entered = 0
        self._leave = asyncio.Semaphore(0)

    async def pass_through(self, answer: Any = None) -> Any:
        self.inside += 1
        self.entered += 1
        self.most = max(self.most, self.inside)
        try:
            await self._leave.acquire()
        finally:
            self.inside -= 1
        return answer

    def let_out(self, count: int = 1) -> None:
        for _ in range(count):
            self._leave.release()


def async_host_of(
    world: World,
    *,
    idempotent: bool = False,
    reconcile: Any = ...,
    after_s: float = 0.0,
    approve: Any = ...,
    **options: Any,
) -> AsyncHost:
    """As host_of of the durable tests, every function async. What the script says may be a coroutine function."""
    host = AsyncHost()

    async def say(script: list[Any]) -> Any:
        said = _played(script)
        return await said if asyncio.iscoroutine(said) else said

    @host.sensor("account.frozen")
    async def frozen() -> Any:
        world.reads.append("account.frozen")
        return await say([world.sensors.get("account.frozen")])

    @host.tool("pay", idempotent=idempotent, **options)
    async def pay(amount: Any, to: Any) -> Any:
        said = world.call("pay", {"amount": amount, "to": to})
        return await said if asyncio.iscoroutine(said) else said

    @host.tool("note")
    async def note(text: Any) -> Any:
        said = world.call("note", {"text": text})
        return await said if asyncio.iscoroutine(said) else said

    if reconcile is not ...:

        @host.reconciler("pay", after_s=after_s)
        async def looked_up(args: dict[str, Any], context: Any) -> Any:
            world.asked.append(context)
            return await say(reconcile if isinstance(reconcile, list) else [reconcile])

    if approve is not ...:

        async def approver(request: Any) -> Any:
            world.approvals.append(request.render())
            return await say([approve])

        host.approver = approver
    return host


class AsyncDesk(Desk):
    """A desk whose processes are driven asynchronously; each finds what the one before has left."""

    def runtime(self, host: Any = None, llm: Any = None, **more: Any) -> AsyncRuntime:
        """What drives the next process."""
        self.store = self.store.crashed()
        self.clocks.pid += 1

        async def sleep(seconds: float) -> None:
            self.clocks.sleep(seconds)

        return AsyncRuntime(
            parsed(self.text),
            async_host_of(self.world) if host is None else host,
            llm,
            store=self.store,
            run_id=more.pop("run_id", self.run_id),
            clocks=self.clocks,
            sleep=sleep,
            tell=self.told.append,
            **more,
        )
