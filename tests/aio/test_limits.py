"""Limits: the defaults of host-api.md §10, and what is refused."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from agentl import aio
from agentl.aio import Limits


def test_the_defaults_are_those_of_the_reference() -> None:
    assert asdict(Limits()) == {
        "max_concurrent_tools": 8,
        "max_concurrent_llm": 4,
        "max_concurrent_reads": None,
        "tool_timeout": None,
        "llm_timeout": None,
        "read_timeout": None,
        "human_timeout": None,
        "inbox_capacity": None,
    }


@pytest.mark.parametrize(
    "name", ["max_concurrent_tools", "max_concurrent_llm", "max_concurrent_reads", "inbox_capacity"]
)
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2"])
def test_a_bound_is_a_whole_number_from_1(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize("name", ["tool_timeout", "llm_timeout", "read_timeout", "human_timeout"])
@pytest.mark.parametrize("value", [0, -1.0, float("inf"), float("nan"), True, "2"])
def test_a_time_limit_is_a_number_of_seconds_above_0(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


def test_every_name_of_the_module_loads() -> None:
    assert [name for name in aio.__all__ if getattr(aio, name).__name__ != name] == []
    with pytest.raises(AttributeError, match="no attribute 'Limit'"):
        aio.Limit  # noqa: B018
