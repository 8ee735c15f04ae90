"""AsyncDriver: the requests of one machine, taken down the road and awaited where the sync driver calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from agentl.durable import driver
from agentl.durable.async_boundary import AsyncBoundary, Sleep
from agentl.durable.async_call import AwaitedCall, wait_for
from agentl.durable.async_limits import Bridge
from agentl.durable.async_work import check_cancelled
from agentl.durable.branches import Branches, Job
from agentl.durable.context import RunContext
from agentl.durable.crossings import InvokeTool, Outcome
from agentl.durable.road import answer
from agentl.durable.session import Session
from agentl.runtime.answers import Answer, Joined
from agentl.runtime.requests import Parallel, Request, TickDone


class AsyncDriver:
    """Runs one machine on one journal against one host. Whatever overlaps (agents, branches) has a driver each."""

    def __init__(self, ctx: RunContext, boundary: AsyncBoundary) -> None:
        self.ctx = ctx
        self.boundary = boundary

    async def tick(self) -> TickDone:
        """One tick of the agent, without the checkpoint that ends it."""
        self.ctx.machine.begin_tick()
        return await self.proceed()

    async def proceed(self) -> TickDone:
        """Answer the machine until it has nothing more to ask."""
        given: Answer | None = None
        step = self.ctx.machine.step
        while True:
            asked = step(given)
            if isinstance(asked, TickDone):
                return asked
            given = await self._answer(asked)

    async def _answer(self, request: Request) -> Answer:
        """Down the road, unless the run was cancelled.

        WHY before the road is gone on with and not only before the outside is reached: an intent whose call is never
        made would be an action in doubt. What a tool has answered is written down first.
        """
        check_cancelled()
        if isinstance(request, Parallel):
            return await self._branches(request)
        road = answer(self.ctx, request)
        try:
            wanted = next(road)
            while True:
                if not (isinstance(wanted, InvokeTool) and wanted.follows_intent):
                    self.ctx.log.assert_owner()
                outcome = await self.boundary.perform(wanted)
                if not isinstance(wanted, InvokeTool):
                    check_cancelled()
                wanted = road.send(outcome)
        except StopIteration as end:
            given: Answer = end.value
            return given

    async def _branches(self, request: Parallel) -> Joined:
        """The branches of a PARALLEL: what several of them want at once is awaited at the same time."""
        at_once = self.boundary.bridge.limits.max_concurrent_tools
        branches = Branches(self.ctx, request, at_once=at_once, check=check_cancelled)
        tasks: dict[asyncio.Task[Outcome], Job] = {}
        try:
            while True:
                for job in branches.jobs():
                    self.ctx.log.assert_owner()
                    tasks[asyncio.create_task(self.boundary.perform(job.wanted), name="agentl-branch")] = job
                if not tasks:
                    break
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    _tell(branches, tasks.pop(task), task)
        except BaseException:
            await _abandon(branches, tasks)
            raise
        branches.check_ended()
        return Joined()


def _tell(branches: Branches, job: Job, task: asyncio.Task[Outcome]) -> None:
    error = asyncio.CancelledError() if task.cancelled() else task.exception()
    if error is None:
        branches.ended(job, task.result())
    elif isinstance(error, Exception):
        branches.failed(job, error)
    else:
        raise error


async def _abandon(branches: Branches, tasks: dict[asyncio.Task[Outcome], Job]) -> None:
    """Cancel what is under way; what a tool has answered all the same is written down."""
    branches.stop()
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
    for task, job in tasks.items():
        with suppress(Exception, asyncio.CancelledError):
            _tell(branches, job, task)


class AsyncDrive:
    """A session, driven asynchronously: its ticks, and what becomes of calls that outlive their limit.

    Several agents tick in turn, in declaration order, as Session.tick has it: the journal is one line of entries.
    """

    def __init__(self, session: Session, bridge: Bridge, sleep: Sleep = asyncio.sleep) -> None:
        self.session = session
        self._sleep = sleep
        for member in session.members:
            member.ctx.is_queued = bridge.is_queued
        self._drivers = [
            AsyncDriver(member.ctx, AsyncBoundary(member.host, member.model, bridge, sleep))
            for member in session.members
        ]

    async def tick(self) -> TickDone:
        """One tick of every agent and the checkpoint that ends it. A cancellation counts again before and after."""
        # Ticks that are only derived again await nothing: others, and who cancels, must have their turn.
        await asyncio.sleep(0)
        check_cancelled()
        self.session.post.round += 1
        return self.session.close_round([await driver.tick() for driver in self._drivers])

    async def run(self, turns: Iterable[int], every_s: float = 0.0) -> None:
        """One tick a turn (Session.turns), `every_s` seconds apart while they are live."""
        for number in turns:
            if every_s > 0 and number > 1 and not self.session.is_rederiving:
                await self._sleep(every_s)
            await self.tick()

    async def await_calls(self) -> None:
        """Give calls whose time limit has passed some time, and note how they ended."""
        await self._wait_for_calls()
        self._note_late()

    async def abandon_calls(self) -> None:
        """The run is cancelled: so are calls whose time limit has passed, which is noted."""
        for call in self._calls():
            call.cancel()
        await self._wait_for_calls()
        if self.session.log.failure is None:
            self._note_late()

    async def _wait_for_calls(self) -> None:
        await wait_for(self._calls(), driver.GRACE_S)

    def _note_late(self) -> None:
        for member in self.session.members:
            member.driver.note_late()

    def _calls(self) -> list[AwaitedCall]:
        return [call for member in self.session.members for _, call in member.ctx.under_way]
