"""Awaiting a host's function, sync or async: a sync one runs in a thread of its own, so that it holds up nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Any

from agentl.hosting.calling import start_call


async def awaited(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Return what the function returns, or what comes of the awaitable it returns; raises what it raises.

    Context variables travel along, so the active dispatch too. When this coroutine is cancelled an async function is
    cancelled with it; a sync one cannot be stopped: nobody waits for it any more.

    WHY a thread of its own and not the loop's pool: a function that never returns must neither take a place from
    others nor keep the process alive.
    """
    if iscoroutinefunction(function):
        return await function(*args, **named)
    value = await _in_thread(partial(function, *args, **named))
    return await value if isawaitable(value) else value


async def _in_thread(function: Callable[[], Any]) -> Any:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, ended)

    call = start_call(function, wake)
    await ended
    return call.outcome()


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
