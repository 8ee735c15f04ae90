"""Asking a model: its methods by duck typing, which fields it left open, and what it says it used (host-api.md §6)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from agentl.durable.crossings import AskModel, ModelAnswer
from agentl.hosting.llm import LLM

PER_CALL = ("last_reason_missing", "last_usage")  # what an adapter tells of its last call


def tells_of_its_last_call(model: Any) -> bool:
    """Whether answers must not overlap: what such a model says of the last one would be mixed up."""
    return any(hasattr(model, name) for name in PER_CALL)


def ask(model: Any, wanted: AskModel) -> ModelAnswer:
    """Make the one call of a model; raises whatever it raises."""
    forget(model)
    return told(model, wanted, _answered(model, wanted))


def forget(model: Any) -> None:
    """Before a call: what the adapter tells of an earlier one is not taken for this one's."""
    for name in PER_CALL:
        if hasattr(model, name):
            with suppress(AttributeError):
                setattr(model, name, None)


def told(model: Any, wanted: AskModel, value: Any) -> ModelAnswer:
    """After a call: its value, and what the adapter tells of it."""
    missing = getattr(model, "last_reason_missing", None) if wanted.kind == "reason" else None
    names = tuple(str(name) for name in missing) if isinstance(missing, (list, tuple)) else None
    return ModelAnswer(value, names, usage_of(model))


def usage_of(model: Any) -> dict[str, Any] | None:
    """After a call, also one that raised: what the adapter says it used; None when it says nothing."""
    usage = getattr(model, "last_usage", None)
    return dict(usage) if isinstance(usage, Mapping) else None


def _answered(model: Any, wanted: AskModel) -> Any:
    if wanted.kind == "reason":
        return model.reason(wanted.task, wanted.context, wanted.wanted)
    if wanted.kind == "select_plan":
        return model.select_plan(wanted.context, wanted.wanted)
    if callable(getattr(model, "judge", None)):
        return model.judge(wanted.task, wanted.context, wanted.wanted)
    return LLM.judge(model, wanted.task, wanted.context, wanted.wanted)
