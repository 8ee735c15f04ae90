"""Asking a model: its methods by duck typing, which fields it left open, and what it says it used (host-api.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from agentl.durable.crossings import AskModel, ModelAnswer
from agentl.hosting.llm import LLM


def ask(model: Any, wanted: AskModel) -> ModelAnswer:
    """Make the one call of a model; raises whatever it raises."""
    for name in ("last_reason_missing", "last_usage"):
        with suppress(AttributeError):
            setattr(model, name, None)
    value = _answered(model, wanted)
    missing = getattr(model, "last_reason_missing", None) if wanted.kind == "reason" else None
    usage = getattr(model, "last_usage", None)
    return ModelAnswer(
        value,
        tuple(str(name) for name in missing) if isinstance(missing, (list, tuple)) else None,
        dict(usage) if isinstance(usage, Mapping) else None,
    )


def _answered(model: Any, wanted: AskModel) -> Any:
    if wanted.kind == "reason":
        return model.reason(wanted.task, wanted.context, wanted.wanted)
    if wanted.kind == "select_plan":
        return model.select_plan(wanted.context, wanted.wanted)
    if callable(getattr(model, "judge", None)):
        return model.judge(wanted.task, wanted.context, wanted.wanted)
    return LLM.judge(model, wanted.task, wanted.context, wanted.wanted)
