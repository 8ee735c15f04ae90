"""The outside, reached asynchronously: places, time limits, cancellation (semantics.md §25, decision 8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from agentl.durable.async_call import AwaitedCall
from agentl.durable.async_limits import BoundaryTimeout, Bridge, Place
from agentl.durable.async_models import Unanswered, ask
from agentl.durable.async_work import is_cancelled
from agentl.durable.boundary import as_events, raised, returned, subagent_of
from agentl.durable.crossings import (
    AskApprover,
    AskModel,
    AskOperator,
    AskReconciler,
    DrainEvents,
    FindSubagent,
    InvokeTool,
    Outcome,
    Pause,
    Raised,
    ReadSensor,
    Returned,
    StillUnderWay,
    Wanted,
)
from agentl.durable.models import usage_of
from agentl.hosting.awaiting import awaited
from agentl.hosting.classification import is_about_the_call
from agentl.hosting.options import OnError, options_of
from agentl.hosting.secrets import known_values, redact_value
from agentl.kernel.dispatch import dispatch
from agentl.kernel.errors import KernelAbort
from agentl.kernel.permit import ExecutionPermit

Sleep = Callable[[float], Awaitable[None]]


class AsyncBoundary:
    """Performs what the road wants against one host, whose methods may be sync or async.

    Ordinary exceptions become data. A KernelAbort, a cancellation and what is no Exception pass through, so that an
    action they cut short has no result (durable.md §5).
    """

    def __init__(self, host: Any, model: Any, bridge: Bridge, sleep: Sleep = asyncio.sleep) -> None:
        self.host = host
        self.model = model
        self.bridge = bridge
        self._sleep = sleep

    async def perform(self, wanted: Wanted) -> Outcome:
        """Do it and say how it ended."""
        host, limits = self.host, self.bridge.limits
        if isinstance(wanted, ReadSensor):
            return await self._asked("reads", limits.read_timeout, host.read, wanted.path)
        if isinstance(wanted, InvokeTool):
            return await self._invoke(wanted)
        if isinstance(wanted, DrainEvents):
            return await self._asked("reads", limits.read_timeout, self._drain)
        if isinstance(wanted, AskOperator):
            limit = _shorter(wanted.timeout_s, limits.human_timeout)
            return await self._asked("people", limit, host.ask, wanted.question, wanted.reason)
        if isinstance(wanted, AskApprover):
            return await self._asked("people", limits.human_timeout, host.approve, wanted.request)
        if isinstance(wanted, AskReconciler):
            args = (wanted.tool, wanted.args, wanted.context)
            return await self._asked("tools", limits.tool_timeout, host.reconcile, *args)
        if isinstance(wanted, AskModel):
            return await self._ask_model(wanted)
        if isinstance(wanted, FindSubagent):
            return Returned(subagent_of(host, wanted.name) is not None)
        assert isinstance(wanted, Pause)
        await self._sleep(wanted.seconds)
        return Returned(None)

    async def _asked(
        self, kind: Place, limit_s: float | None, function: Callable[..., Any], *args: Any
    ) -> Returned | Raised:
        """What has no effect outside: at the limit it is cancelled, and there is no answer."""
        try:
            async with self.bridge.place(kind), _within(limit_s):
                value = await awaited(function, *args)
        except BaseException as error:
            return self._ended_by(error)
        return returned(self.host, value)

    async def _drain(self) -> list[Any]:
        return as_events(await awaited(self.host.drain))

    async def _ask_model(self, wanted: AskModel) -> Outcome:
        async with self.bridge.alone_with(self.model):
            try:
                async with self.bridge.place("models"), _within(self.bridge.limits.llm_timeout):
                    answer = await ask(self.model, wanted)
            except Unanswered as failed:
                return replace(self._ended_by(failed.error), usage=failed.usage)
            except BaseException as error:
                return replace(self._ended_by(error), usage=usage_of(self.model))
        return Returned(replace(answer, value=redact_value(answer.value, known_values(self.host))))

    async def _invoke(self, wanted: InvokeTool) -> Outcome:
        permit = wanted.permit
        limit = self.bridge.limits.tool_timeout if wanted.timeout_s is None else wanted.timeout_s
        try:
            async with self.bridge.place("tools"):
                with dispatch(permit, attempt=wanted.attempt) as args:
                    if limit is None:
                        value = await self._called(permit, args)
                    else:
                        call = AwaitedCall(self._called(permit, args))
                        if not await call.answered_within(limit):
                            # The place is given back: a look-up must be able to ask about a call that hangs.
                            return StillUnderWay(call, limit)
                        value = call.outcome()
        except BaseException as error:
            return self._ended_by(error, options_of(self.host, permit.target).on_error)
        return returned(self.host, value)

    async def _called(self, permit: ExecutionPermit, args: dict[str, Any]) -> Any:
        host, target = self.host, permit.target
        if permit.kind == "invoke":
            return await awaited(host.invoke, target, args)
        delegate = getattr(host, "delegate", None)
        if callable(delegate):
            return await awaited(delegate, target, args)
        return await awaited(subagent_of(host, target), args)

    def _ended_by(self, error: BaseException, on_error: OnError = "failed") -> Raised:
        """An error as data, or raised again.

        WHY a cancelled call is never a failed one: nobody can tell whether what it raised is an answer of the service
        or only what became of the cancellation. Its action has no result, and is settled when the run is resumed.
        """
        if isinstance(error, KernelAbort) or not is_about_the_call(error):
            raise error
        if is_cancelled():
            raise asyncio.CancelledError from error
        return raised(self.host, error, on_error)


@asynccontextmanager
async def _within(limit_s: float | None) -> AsyncIterator[None]:
    """Cancel what is awaited inside after so many seconds, with BoundaryTimeout; None: never."""
    try:
        async with asyncio.timeout(limit_s) as limit:
            yield
    except TimeoutError:
        if limit.expired():
            raise BoundaryTimeout(f"no answer within {limit_s:g} s") from None
        raise


def _shorter(one: float | None, other: float | None) -> float | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)
