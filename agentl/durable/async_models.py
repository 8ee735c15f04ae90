"""Asking a model whose methods may be sync or async (host-api.md §6, §10)."""

from __future__ import annotations

from typing import Any

from agentl.durable.crossings import AskModel, ModelAnswer
from agentl.durable.models import forget, told
from agentl.hosting.awaiting import awaited
from agentl.hosting.llm import LLM, as_schema


async def ask(model: Any, wanted: AskModel) -> ModelAnswer:
    """Make the one call of a model; raises whatever it raises."""
    forget(model)
    return told(model, wanted, await _answered(model, wanted))


async def _answered(model: Any, wanted: AskModel) -> Any:
    if wanted.kind == "reason":
        return await awaited(model.reason, wanted.task, wanted.context, wanted.wanted)
    if wanted.kind == "select_plan":
        return await awaited(model.select_plan, wanted.context, wanted.wanted)
    judge = getattr(model, "judge", None)
    if callable(judge) and getattr(judge, "__func__", None) is not LLM.judge:
        return await awaited(judge, wanted.task, wanted.context, wanted.wanted)
    # The default of LLM, whose `reason` may be async here.
    return dict(await awaited(model.reason, wanted.task, wanted.context, as_schema(wanted.wanted)))
