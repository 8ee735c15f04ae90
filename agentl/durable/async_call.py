"""AwaitedCall: the call of a tool with a time limit; past it the call goes on and can be asked about later."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

# The loop itself holds tasks weakly: a call under way must live on when its run is forgotten.
_UNDER_WAY: set[asyncio.Task[Any]] = set()


class AwaitedCall:
    """One call in a task of its own: ended, or still under way (decision 8)."""

    def __init__(self, call: Coroutine[Any, Any, Any]) -> None:
        self._task = asyncio.create_task(_kept(call), name="agentl-call")
        _UNDER_WAY.add(self._task)
        self._task.add_done_callback(_ended)

    @property
    def ended(self) -> bool:
        return self._task.done()

    def outcome(self) -> Any:
        """Return what the tool returned or raise what it raised; CancelledError for a call that was cancelled."""
        value = self._task.result()
        if isinstance(value, _Exited):
            raise value.error
        return value

    async def answered_within(self, limit_s: float) -> bool:
        """Wait for the end, up to the limit; whether it has come.

        The call is not cancelled at the limit. It is when this is cancelled, which then waits for its end: a result
        that came all the same is known, and may be asked for.
        """
        try:
            await asyncio.wait({self._task}, timeout=limit_s)
        except asyncio.CancelledError:
            self._task.cancel()
            await asyncio.wait({self._task})
        return self.ended

    def cancel(self) -> None:
        self._task.cancel()


@dataclass(frozen=True, slots=True)
class _Exited:
    error: SystemExit


async def _kept(call: Coroutine[Any, Any, Any]) -> Any:
    # WHY: a SystemExit that leaves its task ends the whole loop, past everybody who waits for the call.
    try:
        return await call
    except SystemExit as error:
        return _Exited(error)


async def wait_for(calls: Iterable[AwaitedCall], seconds: float) -> None:
    """Wait for the end of all calls, up to the limit."""
    tasks = {call._task for call in calls}
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)


def _ended(task: asyncio.Task[Any]) -> None:
    _UNDER_WAY.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, so that asyncio does not report it: whoever holds the call asks for its outcome
