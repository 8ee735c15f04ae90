"""Ctrl-C and SIGTERM: one line for the person, the right exit code, never a traceback."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from agentl.cli.exits import Exit

Handler = Callable[[int, FrameType | None], Any]


class Terminated(BaseException):
    """SIGTERM arrived. Like KeyboardInterrupt it is no Exception, so that nothing swallows it."""


_farewell: Callable[[], str] | None = None


@contextmanager
def farewell(line: Callable[[], str]) -> Iterator[None]:
    """While the block runs, an interruption says `line()` instead of the plain word: how to resume, for example."""
    global _farewell
    before, _farewell = _farewell, line
    yield
    # WHY: not in a `finally`: the frame that handles the interruption still needs the line.
    _farewell = before


def farewell_text() -> str:
    """Return what the interrupted command wants said, "" for nothing."""
    return _farewell() if _farewell is not None else ""


def forget_farewell() -> None:
    """Drop the line of an earlier command of this process."""
    global _farewell
    _farewell = None


@contextmanager
def handling() -> Iterator[None]:
    """Turn SIGTERM into Terminated while the block runs. A second signal within the handling ends at once."""
    before = signal.signal(signal.SIGTERM, _on_term)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def handlers() -> dict[signal.Signals, Handler]:
    """Who handles Ctrl-C and SIGTERM while a command runs."""
    return {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _on_term}


def end_at_next() -> None:
    """From now on a further Ctrl-C or SIGTERM ends the process without any more work."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(Exit.INTERRUPTED))
    signal.signal(signal.SIGTERM, lambda *_: os._exit(Exit.TERMINATED))


def _on_term(_number: int, _frame: FrameType | None) -> None:
    raise Terminated
