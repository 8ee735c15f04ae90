"""Patience with a provider that does not answer: which failures are tried again, when, and how long in all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from agentl.diagnostics import AgentLError
from agentl.messages import models as messages

Result = TypeVar("Result")
LONGEST_WAIT_S = 30.0
TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


class ModelUnavailable(AgentLError):
    """The provider did not answer, also after all retries."""


class ModelRefused(AgentLError):
    """The provider refused the question, or the model gave no answer of the shape asked for: retrying is no use."""


@dataclass(frozen=True, slots=True)
class Patience:
    """`retries`: attempts after the first. `budget_s`: no retry ends later than this after the question was asked.

    `timeout_s`: how long one attempt may take. `first_wait_s`: the wait before the first retry; it doubles each time,
    up to 30 s. There is no jitter: what a run waits for can be told in advance. ValueError for a negative number.
    """

    retries: int = 3
    budget_s: float = 90.0
    timeout_s: float = 60.0
    first_wait_s: float = 1.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name) >= 0:
                raise ValueError(messages.BAD_PATIENCE.text(name=name, value=getattr(self, name)))

    def wait_after(self, attempt: int, asked_for: float | None) -> float:
        """Seconds to wait after a failed attempt, from 1: what the provider asked for, else our own schedule."""
        return min(self.first_wait_s * 2.0 ** (attempt - 1), LONGEST_WAIT_S) if asked_for is None else asked_for


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failed attempt as patience sees it. `retry_after_s`: what the provider asked us to wait."""

    is_transient: bool
    reason: str
    retry_after_s: float | None = None


class Question:
    """One question to one model; every request it takes draws on one budget (monotonic clock, cases.md P-J1)."""

    def __init__(self, patience: Patience, model: str, trouble_of: Callable[[Exception], Trouble]) -> None:
        self._patience = patience
        self._model = model
        self._trouble_of = trouble_of
        self._asked = time.monotonic()

    async def request(self, send: Callable[[], Awaitable[Result]]) -> Result:
        """Make one request, again while the failure is transient and patience lasts.

        ModelUnavailable when it does not last; any other failure as it came.
        """
        attempt = 1
        while True:
            try:
                async with asyncio.timeout(self._limit(attempt)):
                    return await send()
            except Exception as error:
                trouble = self._trouble_of(error)
                if not trouble.is_transient:
                    raise
                wait = self._patience.wait_after(attempt, trouble.retry_after_s)
                if attempt > self._patience.retries or self._passed() + wait >= self._patience.budget_s:
                    raise self._gave_up(attempt, trouble) from error
            await asyncio.sleep(wait)
            attempt += 1

    def _limit(self, attempt: int) -> float:
        if attempt == 1:
            return self._patience.timeout_s
        return min(self._patience.timeout_s, self._patience.budget_s - self._passed())

    def _passed(self) -> float:
        return time.monotonic() - self._asked

    def _gave_up(self, attempts: int, trouble: Trouble) -> ModelUnavailable:
        facts = {"model": self._model, "attempts": attempts, "seconds": f"{self._passed():.0f}"}
        return ModelUnavailable(messages.NO_ANSWER.text("en", **facts, reason=trouble.reason))
