"""The one event loop of a command that has to await: its signals, and an end that nothing can hold up."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Thread, Timer, main_thread
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from agentl.cli.interrupts import Terminated, handlers

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
PATIENCE_S = 1.0  # how long the end waits for tasks that were told to stop, and a signal for a loop that is held up


class EventLoop:
    """Runs one awaitable after the other in the same loop, in which connections opened by the first are alive for all.

    The first Ctrl-C or SIGTERM cancels what runs, so that calls in flight can be torn down; a second one does not wait
    for that. Either comes out as KeyboardInterrupt or Terminated, as in a command without loop.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(DaemonThreads())
        self._was_interrupted = False

    def run(self, awaitable: Awaitable[Result]) -> Result:
        """Return what comes of it or raise what it raises."""
        interruption = Interruption(self._loop.create_task(_awaited(awaitable)))
        with interruption:
            try:
                result: Result = self._loop.run_until_complete(interruption.task)
            except (asyncio.CancelledError, KeyboardInterrupt):
                if interruption.cause is None:
                    raise
        if interruption.cause is not None:
            self._was_interrupted = True
            raise interruption.cause
        return result

    def close(self) -> None:
        """Cancel what is left and close the loop; a task that does not stop is left behind."""
        loop = self._loop
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            with suppress(*[KeyboardInterrupt] * self._was_interrupted):
                loop.run_until_complete(asyncio.wait(left, timeout=PATIENCE_S))
        # What becomes of the rest when the process ends interests nobody: the end of the run has been told.
        loop.set_exception_handler(lambda *_: None)
        loop.close()


class Interruption:
    """While the block runs a signal cancels the task, and a second one raises where the process stands.

    So does one whose cancelling is not begun because a function holds up the loop. `cause`: what a signal meant, None
    when there was none.
    """

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self.task = task
        self.cause: BaseException | None = None
        self._is_heard = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> None:
        # A signal the host has taken for itself, or that whoever started us has turned off, is left alone.
        self._before = {number: given for number, given in handlers().items() if given is signal.getsignal(number)}
        for number in self._before:
            signal.signal(number, self._on_signal)

    def __exit__(self, *_: object) -> None:
        self._is_heard = True
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self.cause is not None:
            raise KeyboardInterrupt
        self.cause = Terminated() if number == signal.SIGTERM else KeyboardInterrupt()
        self.task.get_loop().call_soon_threadsafe(self._cancel)
        insist = Timer(PATIENCE_S, self._insist, (number,))
        insist.daemon = True
        insist.start()

    def _cancel(self) -> None:
        self._is_heard = True
        self.task.cancel()

    def _insist(self, number: int) -> None:
        main = main_thread().ident
        if not self._is_heard and main is not None:
            signal.pthread_kill(main, number)


class DaemonThreads(ThreadPoolExecutor):
    """Where asyncio.to_thread runs: a thread a call, which keeps neither others waiting nor the process alive."""

    def submit(
        self, function: Callable[Parameters, Result], /, *args: Parameters.args, **named: Parameters.kwargs
    ) -> Future[Result]:
        """Begin the call at once."""
        future: Future[Result] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*args, **named))
            except BaseException as error:  # carried to whoever awaits the call
                future.set_exception(error)

        Thread(target=run, name="agentl-thread", daemon=True).start()
        return future


async def _awaited(awaitable: Awaitable[Result]) -> Result:
    return await awaitable
