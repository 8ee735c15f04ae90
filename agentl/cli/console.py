"""The only file that prints. Results go to standard output, messages to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from threading import Lock
from typing import Any, TextIO

from agentl.diagnostics import Diagnostic

_ASKING = Lock()  # branches that are awaited at the same time share the terminal


def prepare() -> None:
    """Make both streams able to say anything: what their encoding lacks is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def result(text: str, *, end: str = "\n", flush: bool = False) -> None:
    """Write a result to standard output. After the reader has gone, it is dropped without a word."""
    _write(sys.stdout, text + end, flush)


def result_bytes(data: bytes) -> None:
    """Write the bytes of a file to standard output as they are, whatever its encoding."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    except OSError:
        _silence(sys.stdout)


def message(text: str) -> None:
    """Write a line for a person to standard error."""
    _write(sys.stderr, text + "\n", flush=True)


def show(diagnostics: Iterable[Diagnostic]) -> None:
    """Write findings to standard error, with their place in the program where they have one."""
    from agentl.diagnostics.render.text import render_text

    message(render_text(tuple(diagnostics), color=has_color(sys.stderr)))


def approve(request: Any) -> bool:
    """Ask on the terminal whether an action may go out; anything but one of the words of approval is a no."""
    from agentl.kernel.approval import approval_granted
    from agentl.messages import running

    with _ASKING:
        _write(sys.stderr, running.APPROVE_QUESTION.text(action=request.render()), flush=True)
        return sys.stdin is not None and approval_granted(sys.stdin.readline())


def has_color(stream: TextIO | None) -> bool:
    """True on a terminal, unless NO_COLOR is set or the terminal is dumb."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream is not None and stream.isatty()


def close() -> None:
    """Flush what is left, so that a reader who has gone is noticed here and not at interpreter exit."""
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "", flush=True)


def _write(stream: TextIO | None, text: str, flush: bool) -> None:
    if stream is None:
        return  # closed by whoever started us
    try:
        stream.write(text)
        if flush:
            stream.flush()
    except OSError:
        # A reader who has gone, or a full disk behind the stream: what is said is lost, what is done goes on.
        _silence(stream)


def _silence(stream: TextIO) -> None:
    # WHY: a run must go on to its own end and its own exit code when `| head` has seen enough.
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
    os.close(sink)
