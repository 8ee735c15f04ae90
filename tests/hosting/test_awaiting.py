"""Awaiting a host's function: async ones on the loop, sync ones in a thread, context variables along."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest

from agentl.hosting.awaiting import awaited

PLACE: ContextVar[str] = ContextVar("PLACE", default="nowhere")


async def asynchronous(word: str = "a", *, more: str = "") -> tuple[Any, ...]:
    await asyncio.sleep(0)
    return word, more, PLACE.get(), threading.get_ident()


def synchronous(word: str = "a", *, more: str = "") -> tuple[Any, ...]:
    return word, more, PLACE.get(), threading.get_ident()


@pytest.mark.parametrize(
    ("function", "is_here"),
    [(asynchronous, True), (partial(asynchronous), True), (synchronous, False), (partial(synchronous), False)],
)
def test_sync_functions_run_in_a_thread_and_see_the_same_context(function: Any, is_here: bool) -> None:
    async def main() -> tuple[Any, ...]:
        PLACE.set("here")
        found: tuple[Any, ...] = await awaited(function, "b", more="c")
        return found

    word, more, place, thread = asyncio.run(main())
    assert (word, more, place) == ("b", "c", "here")
    assert (thread == threading.get_ident()) is is_here


def test_what_a_sync_function_gives_to_be_awaited_is_awaited() -> None:
    assert asyncio.run(awaited(lambda: asynchronous("x")))[0] == "x"


@pytest.mark.parametrize("error", [ValueError("v"), KeyError("k"), SystemExit(3)])
def test_it_raises_what_the_function_raises(error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        asyncio.run(awaited(fail))
    assert caught.value is error


def test_the_end_of_an_iterator_is_no_end_of_the_coroutine() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(awaited(lambda: next(iter(()))))


def test_functions_that_hang_take_no_place_from_others_and_do_not_hold_up_the_end() -> None:
    let_go = threading.Event()

    async def main() -> Any:
        hanging = [asyncio.create_task(awaited(let_go.wait)) for _ in range(40)]
        await asyncio.sleep(0)
        found = await asyncio.wait_for(awaited(synchronous, "through"), 5)
        for task in hanging:
            task.cancel()
        assert all(
            isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*hanging, return_exceptions=True)
        )
        return found

    assert asyncio.run(main())[0] == "through"
    let_go.set()


def test_a_function_that_ends_after_its_loop_is_not_heard_and_does_no_harm(
    capfd: pytest.CaptureFixture[str],
) -> None:
    let_go, threads = threading.Event(), []

    def slow() -> None:
        threads.append(threading.current_thread())
        let_go.wait(10)

    async def main() -> None:
        task = asyncio.create_task(awaited(slow))
        while not threads:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(main())
    let_go.set()
    threads[0].join(5)
    assert capfd.readouterr().err == ""
