"""Calling a tool with a time limit: past it the call goes on in its thread and can be asked about later."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import Event, Thread
from typing import Any, Generic, TypeVar

from agentl.hosting.classification import is_about_the_call
from agentl.hosting.outcomes import NotApplied
from agentl.messages import host as messages

Result = TypeVar("Result")


class Call(Generic[Result]):
    """One call of a tool: ended, or still under way (decision 8).

    `ended`: whether the tool has returned or raised. `done` is set then; a call made in the caller's own thread, for
    whose end nobody can wait, has none.
    """

    def __init__(self, done: Event | None = None) -> None:
        self.ended = False
        self._done = done
        self._value: Result | None = None
        self._error: BaseException | None = None

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait up to `timeout_s` seconds (None: without limit) for the end; return whether it has come."""
        return self.ended or (self._done is not None and self._done.wait(timeout_s))

    def outcome(self) -> Result:
        """Return what the tool returned or raise what it raised; TimeoutError while it is still under way."""
        if not self.ended:
            raise TimeoutError("the call is still under way")
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]

    def _run(self, function: Callable[[], Result]) -> None:
        try:
            self._value = function()
        except BaseException as error:  # carried to whoever asks for the outcome
            self._error = error
        finally:
            self.ended = True
            if self._done is not None:
                self._done.set()


def call_with_timeout(function: Callable[[], Result], timeout_s: float | None) -> Call[Result]:
    """Run `function` and return its call: ended, or still under way after `timeout_s` seconds.

    Without a limit it runs in this thread, and what is not about the call (KeyboardInterrupt) passes through. With one
    it runs in a thread of its own (`start_call`).
    """
    if timeout_s is None:
        call: Call[Result] = Call()
        call._run(function)
        if call._error is not None and not is_about_the_call(call._error):
            raise call._error
        return call
    call = start_call(function)
    call.wait(timeout_s)
    return call


def start_call(function: Callable[[], Result], when_ended: Callable[[], None] | None = None) -> Call[Result]:
    """Begin a call in a thread of its own and return it at once; `when_ended` is called in that thread, last of all.

    The thread carries the active dispatch and every other context variable, and does not keep the process alive. When
    the system has none left the function is not called, and the call ends with NotApplied.
    """
    call: Call[Result] = Call(Event())
    context = copy_context()

    def run() -> None:
        context.run(call._run, function)
        if when_ended is not None:
            when_ended()

    try:
        Thread(target=run, name="agentl-call", daemon=True).start()
    except RuntimeError:
        call._run(_not_called)
        if when_ended is not None:
            when_ended()
    return call


def _not_called() -> Any:
    raise NotApplied(messages.NO_THREAD.text("en"))
