"""What a host promises today about an interrupted call of a tool (decision 4, durable.md §8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Promise = Literal["idempotent", "reconcile", "both", "none"]


def promise_of(host: object, tool: str) -> Promise:
    """Return the promise, for the intent and for settling.

    A reconciler exists when `reconcilers` has the tool or, on a host without such a dict, when it has `reconcile`.
    """
    idempotent = tool in (getattr(host, "idempotent_tools", None) or ())
    reconcilers: Mapping[str, object] | None = getattr(host, "reconcilers", None)
    reconcile = callable(getattr(host, "reconcile", None)) if reconcilers is None else tool in reconcilers
    if idempotent:
        return "both" if reconcile else "idempotent"
    return "reconcile" if reconcile else "none"
