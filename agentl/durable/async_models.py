"""Asking a model whose methods may be sync or async (host-api.md §6, §10)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from typing import Any

from agentl.durable.crossings import AskModel, ModelAnswer
from agentl.durable.models import forget, told, usage_of
from agentl.hosting.awaiting import awaited
from agentl.hosting.llm import LLM, as_schema


class Unanswered(Exception):
    """What a model raised in a thread, and what it says it had used before."""

    def __init__(self, error: Exception, usage: dict[str, Any] | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.usage = usage


async def ask(model: Any, wanted: AskModel) -> ModelAnswer:
    """Make the one call of a model; raises whatever it raises, an error of a sync method as Unanswered."""
    method = _method(model, wanted)
    if iscoroutinefunction(method):
        forget(model)
        return told(model, wanted, await method())
    # WHY all of it in the thread of the call: an adapter may keep what it tells of its last call by thread.
    answer: ModelAnswer = await awaited(_ask_at_once, model, wanted, method)
    return answer


def _ask_at_once(model: Any, wanted: AskModel, method: Callable[[], Any]) -> ModelAnswer | Awaitable[ModelAnswer]:
    forget(model)
    try:
        value = method()
        return _told_later(model, wanted, value) if isawaitable(value) else told(model, wanted, value)
    except Exception as error:
        raise Unanswered(error, usage_of(model)) from error


async def _told_later(model: Any, wanted: AskModel, value: Awaitable[Any]) -> ModelAnswer:
    return told(model, wanted, await value)


def _method(model: Any, wanted: AskModel) -> Callable[[], Any]:
    if wanted.kind == "reason":
        return partial(model.reason, wanted.task, wanted.context, wanted.wanted)
    if wanted.kind == "select_plan":
        return partial(model.select_plan, wanted.context, wanted.wanted)
    judge = getattr(model, "judge", None)
    if callable(judge) and getattr(judge, "__func__", None) is not LLM.judge:
        return partial(judge, wanted.task, wanted.context, wanted.wanted)
    return partial(_judge_by_reason, model, wanted)


def _judge_by_reason(model: Any, wanted: AskModel) -> Any:
    """The default of LLM, of a model whose `reason` may be async."""
    value = model.reason(wanted.task, wanted.context, as_schema(wanted.wanted))
    return _as_dict(value) if isawaitable(value) else dict(value)


async def _as_dict(value: Awaitable[Any]) -> dict[str, Any]:
    return dict(await value)
