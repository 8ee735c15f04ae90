"""Work that can be cancelled: what it awaits is cancelled with it, and nothing swallows that (semantics.md §25)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from agentl.kernel.errors import Cancelled
from agentl.messages import aio as say

Result = TypeVar("Result")


class Work:
    """One coroutine at a time, in a task of its own, until it is cancelled for good."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None
        self._is_over = False
        self._was_told = False

    @property
    def is_running(self) -> bool:
        return self._task is not None

    async def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Return what comes of it. Cancelled after `cancel`; CancelledError when the awaiting task is cancelled.

        Either ends the work for good: whatever was half done is not gone on with. RuntimeError while it is running.
        """
        if self._is_over or self._task is not None:
            coroutine.close()
            if self._is_over:
                raise Cancelled.of(say.CANCELLED)
            raise RuntimeError(say.BUSY.text())
        task = asyncio.create_task(coroutine, name="agentl-run")
        self._task = task
        try:
            return await task
        except asyncio.CancelledError:
            self._is_over = True
            if self._was_told and not is_cancelled():
                raise Cancelled.of(say.CANCELLED) from None
            raise
        finally:
            self._task = None

    def cancel(self) -> None:
        """Cancel what runs, and all that would be run later; from any thread."""
        self._is_over = self._was_told = True
        task = self._task
        if task is None:
            return
        loop = task.get_loop()
        try:
            is_here = asyncio.get_running_loop() is loop
        except RuntimeError:
            is_here = False
        if is_here:
            task.cancel()
        else:
            loop.call_soon_threadsafe(task.cancel)


def is_cancelled() -> bool:
    """Whether somebody has asked the current task to stop, also when a call has swallowed that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def check_cancelled() -> None:
    """Raise CancelledError when the current task was asked to stop."""
    if is_cancelled():
        raise asyncio.CancelledError


async def all_of(coroutines: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Run coroutines side by side and return what comes of each, in their order.

    When one raises the others are cancelled, and the first error in their order is raised once all have ended.
    """
    tasks = [asyncio.create_task(each) for each in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            raise error
    return [task.result() for task in tasks]
