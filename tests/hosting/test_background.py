"""An event loop beside the caller: results, errors and interrupts come through as if there were none."""

from __future__ import annotations

import asyncio
import threading

import pytest

from agentl.hosting.background import BackgroundLoop


async def sum_of(*numbers: int) -> int:
    await asyncio.sleep(0)
    return sum(numbers)


async def failing() -> None:
    raise KeyError("x")


def test_what_the_coroutine_returns_or_raises_comes_back() -> None:
    loop = BackgroundLoop("t")
    assert loop.run(sum_of(1, 2)) == 3
    with pytest.raises(KeyError):
        loop.run(failing())
    assert loop.run(sum_of(4)) == 4


def test_it_works_inside_a_running_loop_and_from_several_threads_on_one_loop() -> None:
    loop = BackgroundLoop("t")
    seen: set[int] = set()

    async def which() -> None:
        seen.add(id(asyncio.get_running_loop()))

    async def inside() -> int:
        return loop.run(sum_of(2, 3))

    assert asyncio.run(inside()) == 5
    threads = [threading.Thread(target=lambda: loop.run(which())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 1


def test_past_its_time_the_coroutine_is_cancelled() -> None:
    loop = BackgroundLoop("t")
    cancelled = threading.Event()

    async def slow() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            cancelled.set()

    with pytest.raises(TimeoutError):
        loop.run(slow(), 0.05)
    assert cancelled.wait(5)


def test_awaited_it_leaves_the_loop_of_the_caller_free_and_is_cancelled_with_it() -> None:
    loop = BackgroundLoop("t")
    begun, cancelled = threading.Event(), threading.Event()

    async def slow() -> None:
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            cancelled.set()

    async def caller() -> int:
        waiting = asyncio.create_task(loop.awaited(slow()))
        while not begun.is_set():
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(KeyError):
            await loop.awaited(failing())
        return await loop.awaited(sum_of(1, 2))

    assert asyncio.run(caller()) == 3
    assert cancelled.wait(5)
