"""Whether a host or a model has to be awaited: one of its methods, or of the functions registered with it, is async."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import iscoroutinefunction
from typing import Any

_OF_HOST = ("read", "invoke", "ask", "approve", "drain", "reconcile", "delegate", "approver", "asker")
_REGISTERED = ("sensors", "tools", "subagents", "reconcilers")
_OF_MODEL = ("reason", "judge", "select_plan")


def is_async_host(host: Any) -> bool:
    """True when a synchronous driver would get a coroutine from the host in place of an answer; False for None."""
    registered = [
        function
        for name in _REGISTERED
        if isinstance(functions := getattr(host, name, None), Mapping)
        for function in functions.values()
    ]
    return _any_async([*_methods(host, _OF_HOST), *registered])


def is_async_model(model: Any) -> bool:
    """The same of a model; False for None."""
    return _any_async(_methods(model, _OF_MODEL))


def _methods(owner: Any, names: Iterable[str]) -> list[Any]:
    return [getattr(owner, name, None) for name in names]


def _any_async(functions: Iterable[Any]) -> bool:
    # An object may be called by an async method.
    return any(iscoroutinefunction(each) or iscoroutinefunction(type(each).__call__) for each in functions)
