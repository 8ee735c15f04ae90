"""A DurableRun driven from a coroutine: any host, one agent or a society, on the journal a synchronous run writes."""

from __future__ import annotations

import asyncio

from agentl.durable.async_boundary import Sleep
from agentl.durable.async_driver import AsyncDrive
from agentl.durable.async_limits import Bridge, Limits
from agentl.durable.run import DurableRun
from agentl.durable.runtime import Runtime


async def run_async(
    run: DurableRun,
    max_ticks: int | None = None,
    *,
    every_s: float = 0.0,
    limits: Limits | None = None,
    sleep: Sleep = asyncio.sleep,
) -> Runtime:
    """As DurableRun.run, which says what is returned and raised; hosts and models may be sync or async.

    The agents of a society tick in turn, as DurableRun has them; AsyncSociety has rounds of its own. CancelledError
    when the awaiting task is cancelled: calls in flight are cancelled with it and have no result, another run settles
    them.
    """
    drive: AsyncDrive | None = None
    try:
        drive = AsyncDrive(run.begin(max_ticks), Bridge(limits), sleep)
        await drive.run(drive.session.turns(run.tick_bound), every_s)
        await drive.await_calls()
        run.end()
    except asyncio.CancelledError:
        if drive is not None:
            await drive.abandon_calls()
        raise
    finally:
        run.close()
    assert run.runtime is not None
    return run.runtime
