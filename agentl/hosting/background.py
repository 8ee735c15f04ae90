"""One event loop in a thread of its own: how a synchronous host talks to a library that is asynchronous."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


class BackgroundLoop:
    """Runs coroutines for callers in any thread, also in one that has an event loop of its own.

    WHY one loop for the life of an adapter: connections belong to the loop that opened them. Its thread starts with
    the first call and does not keep the process alive.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = Lock()

    def run(self, coroutine: Coroutine[Any, Any, Result], timeout_s: float | None = None) -> Result:
        """Return what the coroutine returns or raise what it raises.

        An interrupt of the caller cancels it, and so does the end of `timeout_s` seconds, with a TimeoutError.
        """
        future = asyncio.run_coroutine_threadsafe(coroutine, self._started())
        try:
            return future.result(timeout_s)
        except BaseException:
            future.cancel()
            raise

    async def awaited(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """As `run`, for a caller with an event loop of its own: cancelling it cancels the coroutine."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, self._started()))

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=self._loop.run_forever, name=self._name, daemon=True).start()
            return self._loop
