"""Worker: one thread beside the loop that answers the editor, for what takes long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """Does one job after the other. A daemon: it never keeps the process from ending."""

    def __init__(self, loop: asyncio.AbstractEventLoop, failed: Callable[[BaseException], None]) -> None:
        """`failed` hears of what a job raises, in the loop."""
        self._loop = loop
        self._failed = failed
        self._jobs: SimpleQueue[Callable[[], Callable[[], None]]] = SimpleQueue()
        threading.Thread(target=self._work, name="agentl-lsp", daemon=True).start()

    def submit(self, job: Callable[[], T], done: Callable[[T], None]) -> None:
        """Run a job in the thread, then `done` with its result in the loop."""

        def run() -> Callable[[], None]:
            result = job()
            return lambda: done(result)

        self._jobs.put(run)

    def _work(self) -> None:
        while True:
            run = self._jobs.get()
            try:
                after = run()
            except BaseException as error:
                after = self._telling(error)
            try:
                self._loop.call_soon_threadsafe(after)
            except RuntimeError:
                return  # the loop has ended, and the process ends with it

    def _telling(self, error: BaseException) -> Callable[[], None]:
        return lambda: self._failed(error)
