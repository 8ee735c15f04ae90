"""AsyncRuntime: one agent run from a coroutine, plain or durable (host-api.md §10)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any

from agentl.durable.async_boundary import Sleep
from agentl.durable.async_driver import AsyncDrive
from agentl.durable.async_limits import Bridge, Limits
from agentl.durable.async_work import Work
from agentl.durable.programs import as_program
from agentl.durable.run import DurableRun
from agentl.durable.runtime import Runtime
from agentl.hosting.async_host import AsyncHost
from agentl.ir.program import Agent, Program
from agentl.journal.errors import DurableError
from agentl.journal.stores.contract import Store
from agentl.messages import aio as say
from agentl.messages.durable import OPTION_DIFFERS
from agentl.runtime.requests import TickDone


class AsyncRuntime:
    """Runs an agent against a host whose functions may be sync or async. Within the agent everything is
    sequential but the branches of a PARALLEL.

    `host`: an AsyncHost (the default: an empty one), or any host. `limits` bound concurrency and time; agents that get
    one `bridge` share its limits. With a `store` the run is durable, on the same journal as DurableRun: either resumes
    what the other began. `runtime_options` are those of Runtime, or of DurableRun with a store. `sleep` waits before a
    look-up can be believed.

    ValueError for several agents, or for limits beside a bridge; with a store also what DurableRun raises.
    """

    def __init__(
        self,
        agent: Agent | Program,
        host: Any = None,
        llm: Any = None,
        *,
        limits: Limits | None = None,
        store: Store | None = None,
        bridge: Bridge | None = None,
        echo: bool = False,
        sleep: Sleep = asyncio.sleep,
        **runtime_options: Any,
    ) -> None:
        if limits is not None and bridge is not None:
            raise ValueError(say.LIMITS_TWICE.text())
        program = as_program(agent)
        if len(program.agents) != 1:
            raise ValueError(say.ONE_AGENT.text(count=len(program.agents)))
        self.bridge = bridge or Bridge(limits)
        self._sleep = sleep
        self._work = Work()
        self._turns: Iterator[int] | None = None  # of a durable run that is open
        host = AsyncHost() if host is None else host
        self.durable: DurableRun | None = None
        self._plain: Runtime | None = None
        self._drive: AsyncDrive | None = None
        if store is not None:
            self.durable = DurableRun(program, host, llm, store=store, echo=echo, **runtime_options)
        else:
            self._plain = Runtime(program.agents[0], host, llm, echo=echo, **runtime_options)
            self._drive = AsyncDrive(self._plain.session, self.bridge, sleep)

    @property
    def runtime(self) -> Runtime | None:
        """The runtime: state, trace, metrics. None for a durable run that has not begun."""
        return self._plain if self.durable is None else self.durable.runtime

    @property
    def is_call_under_way(self) -> bool:
        """True when a call whose time limit has passed still runs."""
        return self.runtime is not None and self.runtime.session.is_call_under_way

    async def tick(self) -> TickDone | None:
        """Run one tick. Of a durable run the next one; None when it is over: then its end has been written.

        Cancelled, and CancelledError: see `cancel`.
        """
        return await self._work.run(self._tick())

    async def run(self, max_ticks: int | None = None, *, every_s: float = 0.0) -> Runtime:
        """Run until UNTIL holds or `max_ticks` (LOOP MAX without one) and return the runtime.

        At the end calls whose time limit has passed are given some time. `max_ticks` and `every_s` are those of
        DurableRun.run, which says what is raised; Cancelled, and CancelledError: see `cancel`.
        """
        return await self._work.run(self._run(max_ticks, every_s))

    def cancel(self) -> None:
        """Stop at the next crossing, for good; calls in flight are cancelled. From any thread.

        `run` and `tick` raise Cancelled, also later. Cancelling the task that awaits them does the same, with
        CancelledError. An action cut short has no result; with a store another run settles it and goes on. A sync
        function cannot be stopped: it ends in its thread, unheard.
        """
        self._work.cancel()
        if not self._work.is_running:
            self.close()

    def close(self) -> None:
        """Give up the journal of a durable run between two ticks; another run resumes it."""
        self._turns = None
        if self.durable is not None:
            self.durable.close()

    async def __aenter__(self) -> AsyncRuntime:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def _run(self, max_ticks: int | None, every_s: float) -> Runtime:
        async with self._given_up_on_failure():
            drive, turns = self._begun(max_ticks)
            await drive.run(turns, every_s)
            await self._end(drive)
        assert self.runtime is not None
        return self.runtime

    async def _tick(self) -> TickDone | None:
        async with self._given_up_on_failure():
            drive, turns = self._begun(None)
            if self.durable is not None and next(turns, None) is None:
                await self._end(drive)
                return None
            return await drive.tick()

    def _begun(self, max_ticks: int | None) -> tuple[AsyncDrive, Iterator[int]]:
        """The drive and the ticks to come. A durable run is opened, unless an earlier tick has done so."""
        if self.durable is None:
            assert self._drive is not None
            return self._drive, self._drive.session.turns(max_ticks)
        if self._turns is None or self._drive is None:
            session = self.durable.begin(max_ticks)
            self._drive = AsyncDrive(session, self.bridge, self._sleep)
            self._turns = session.turns(self.durable.tick_bound)
        elif max_ticks is not None and max_ticks != self.durable.tick_bound:
            recorded = str(self.durable.tick_bound).lower()
            raise DurableError.of(OPTION_DIFFERS, field="max_ticks", recorded=recorded, given=str(max_ticks))
        return self._drive, self._turns

    async def _end(self, drive: AsyncDrive) -> None:
        await drive.await_calls()
        if self.durable is not None:
            self.durable.end()
            self.close()

    @asynccontextmanager
    async def _given_up_on_failure(self) -> AsyncIterator[None]:
        try:
            yield
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and self._drive is not None:
                await self._drive.abandon_calls()
            self.close()
            raise
