"""Ctrl-C, SIGTERM and SIGHUP while an operation is driven: the call under way may end, so that its outcome is known."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from agentl.cli.exits import Exit
from agentl.cli.interrupts import Terminated
from agentl.messages import operating as messages
from agentl.operations.problems import Problem

GRACE_S = 10.0  # which SIGTERM gives the call under way (operations-contract.md §7, Graceful shutdown)
_SIGNALS = {
    signal.SIGINT: Exit.INTERRUPTED,
    signal.SIGTERM: Exit.TERMINATED,
    signal.SIGHUP: Exit.TERMINATED,  # the terminal has gone
}


class Stop:
    """`code`: what the process is to end with, once it was told to stop."""

    def __init__(self) -> None:
        self.code: Exit | None = None

    def check(self) -> None:
        """Asked right before each launch. Problem ShuttingDown once the process was told to stop."""
        if self.code is not None:
            raise Problem("ShuttingDown", {})

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While the block runs, the first signal only forbids further launches; the second one ends it, and so does the
        end of the time that is given but to a person: by KeyboardInterrupt or Terminated, and the handler is killed.

        A signal that whoever started us had ignored (nohup, a shell that puts us in the background) stays so.
        """
        heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._on_signal) for number in heard}
        alarm = signal.signal(signal.SIGALRM, self._at_end)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.code is not None:
            if number == signal.SIGHUP:  # a terminal that goes says so twice: the system, and the shell
                return
            raise KeyboardInterrupt if number == signal.SIGINT else Terminated
        self.code = _SIGNALS[signal.Signals(number)]
        if number != signal.SIGINT:
            signal.setitimer(signal.ITIMER_REAL, GRACE_S)
        # WHY not through the stream: what was interrupted may be writing to it.
        with suppress(OSError):
            os.write(2, f"{messages.FINISHING.text()}\n".encode())

    def _at_end(self, number: int, frame: FrameType | None) -> None:
        raise Terminated
