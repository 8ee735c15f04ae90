"""How a command loads a host and drives it: called at once when all of it is sync, else awaited in one event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from agentl.durable.boundary import Boundary
from agentl.durable.driver import Driver
from agentl.durable.member import Member
from agentl.durable.run import DurableRun
from agentl.durable.runtime import Runtime
from agentl.durable.session import Session
from agentl.hosting.loading import HostModule, load_host

# WHY the asynchronous side is imported where it is used: a command with a synchronous host does not pay for it.
if TYPE_CHECKING:
    from agentl.cli.event_loop import EventLoop
    from agentl.durable.async_limits import Limits


class Driving:
    """For one command. What it starts in the event loop ends with the `with` block.

    A host is awaited when it or a model has something async, when its `build()` is async, and when Limits came with it.
    """

    def __init__(self) -> None:
        self._loop: EventLoop | None = None
        self._limits: Limits | None = None

    def __enter__(self) -> Driving:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._loop is not None:
            self._loop.close()

    def load(self, program_path: str, host_path: str | None) -> HostModule:
        """Load the host module; raises as load_host."""
        module = load_host(program_path, host_path, wait_for=self._wait_for)
        self._limits = _limits(module.extra)
        if module.is_async or self._limits is not None:
            self._in_loop()
        return module

    def run(self, run: DurableRun, max_ticks: int | None, every_s: float = 0.0) -> Runtime:
        """DurableRun.run, or run_async."""
        if self._loop is None:
            return run.run(max_ticks, every_s=every_s)
        from agentl.durable.async_run import run_async

        return self._loop.run(run_async(run, max_ticks, every_s=every_s, limits=self._limits))

    def ticks(self, session: Session, limit: int) -> None:
        """Run ticks until the limit or the end condition, and give calls past their time limit some time."""
        if self._loop is None:
            for _ in session.ticks(limit):
                pass
            session.await_calls()
            return
        self._loop.run(_ticks(session, limit, self._limits))

    def phases(self, member: Member, host: Any, words: Iterable[str]) -> None:
        """Run single phases of an agent against another host than its own, without a model."""
        if self._loop is None:
            driver = Driver(member.ctx, Boundary(host))
            for word in words:
                member.machine.begin_phase(word)
                driver.proceed()
            return
        self._loop.run(_phases(member, host, words, self._limits))

    def _wait_for(self, awaitable: Awaitable[Any]) -> Any:
        return self._in_loop().run(awaitable)

    def _in_loop(self) -> EventLoop:
        if self._loop is None:
            from agentl.cli.event_loop import EventLoop

            self._loop = EventLoop()
        return self._loop


def _limits(extra: Any) -> Limits | None:
    if extra is None:
        return None
    from agentl.durable.async_limits import Limits

    return extra if isinstance(extra, Limits) else None


async def _ticks(session: Session, limit: int, limits: Limits | None) -> None:
    from agentl.durable.async_driver import AsyncDrive
    from agentl.durable.async_limits import Bridge

    drive = AsyncDrive(session, Bridge(limits))
    await drive.run(session.turns(limit))
    await drive.await_calls()


async def _phases(member: Member, host: Any, words: Iterable[str], limits: Limits | None) -> None:
    from agentl.durable.async_boundary import AsyncBoundary
    from agentl.durable.async_driver import AsyncDriver
    from agentl.durable.async_limits import Bridge

    driver = AsyncDriver(member.ctx, AsyncBoundary(host, None, Bridge(limits)))
    for word in words:
        member.machine.begin_phase(word)
        await driver.proceed()
