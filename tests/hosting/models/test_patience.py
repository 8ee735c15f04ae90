"""Patience: a schedule that can be told in advance, within a budget on the monotonic clock."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentl.hosting.models.patience import ModelUnavailable, Patience, Question, Trouble


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr("time.monotonic", clock.monotonic)
    monkeypatch.setattr("asyncio.sleep", clock.sleep)
    return clock


def asked(chosen: Patience, trouble: Trouble) -> Any:
    """Ask a provider that always fails in one way."""

    async def send() -> None:
        raise OSError

    async def ask() -> None:
        await Question(chosen, "m", lambda error: trouble).request(send)

    return asyncio.run(ask())


def test_waits_double_from_the_first_up_to_half_a_minute(clock: Time) -> None:
    with pytest.raises(ModelUnavailable, match="m did not answer in 9 attempts over 121 s: down"):
        asked(Patience(retries=8, budget_s=1000), Trouble(True, "down"))
    assert clock.slept == [1, 2, 4, 8, 16, 30, 30, 30]


def test_no_retry_begins_that_the_budget_does_not_hold(clock: Time) -> None:
    with pytest.raises(ModelUnavailable, match="in 4 attempts over 7 s"):
        asked(Patience(retries=100, budget_s=10), Trouble(True, "down"))
    assert clock.slept == [1, 2, 4]


def test_what_the_provider_asks_for_takes_the_place_of_the_schedule(clock: Time) -> None:
    with pytest.raises(ModelUnavailable):
        asked(Patience(retries=2), Trouble(True, "busy", retry_after_s=12.5))
    assert clock.slept == [12.5, 12.5]


def test_what_is_not_transient_comes_through_at_once(clock: Time) -> None:
    with pytest.raises(OSError):
        asked(Patience(), Trouble(False, "no"))
    assert clock.slept == []
