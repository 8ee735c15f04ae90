"""Whether a host or a model has to be awaited."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from agentl.hosting.async_host import AsyncHost
from agentl.hosting.asynchronous import is_async_host, is_async_model
from agentl.hosting.host import Host
from agentl.hosting.llm import LLM, MockLLM


async def later(*args: Any, **named: Any) -> None: ...


class Later:
    async def __call__(self) -> None: ...


class OwnHost(Host):
    async def ask(self, question: str, reason: str = "") -> Any: ...


class OwnModel(LLM):
    async def judge(self, task: str, context: Any, questions: Any) -> dict[str, Any]:  # type: ignore[override]
        return {}


def with_function(place: str, function: Any) -> Host:
    host = Host()
    if place in ("approver", "asker"):
        setattr(host, place, function)
    else:
        getattr(host, place)["x"] = function
    return host


PLACES = ["sensors", "tools", "subagents", "reconcilers", "approver", "asker"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("function", [later, partial(later, 1), Later()])
def test_one_async_function_anywhere_is_enough(place: str, function: Any) -> None:
    assert is_async_host(with_function(place, function))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("function", [lambda: None, print, partial(print, 1), Later, 5])
def test_what_is_called_is_not_awaited(place: str, function: Any) -> None:
    assert not is_async_host(with_function(place, function))


def test_methods_count_of_hosts_and_models() -> None:
    assert [is_async_host(host) for host in (AsyncHost(), OwnHost(), Host(), None)] == [True, True, False, False]
    assert [is_async_model(model) for model in (OwnModel(), MockLLM(), LLM(), None)] == [True, False, False, False]
