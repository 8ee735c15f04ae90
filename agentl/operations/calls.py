"""One call as the launcher serves it: what goes in, what came out so far, how it ended."""

from __future__ import annotations

import fcntl
import json
import math
import os
import selectors
import struct
import termios
import time
from collections.abc import Iterator
from contextlib import suppress

from agentl.operations.spawning import Pipes, limit_processes

_CHUNK = 1 << 16
KEPT_STDERR = 16 * 1024


class Call:
    """A handler's process under way. `began`: its start in ticks of the system; `deadline`, `killed_at`: monotonic."""

    def __init__(
        self, number: int, pid: int, pipes: Pipes, began: int, stdin: bytes, timeout_ms: int, max_output_bytes: int
    ) -> None:
        self.number = number
        self.pid = pid
        self.began = began
        self._pipes = pipes
        self._start = time.monotonic()
        self.deadline = self._start + timeout_ms / 1000
        self.killed_at: float | None = None
        self._unsent = memoryview(stdin)
        self._limit = max_output_bytes
        self._stdout = bytearray()
        self._stderr = bytearray()
        self._sandbox = bytearray()
        self.is_sandboxed = pipes.status >= 0
        self._how = ""
        self._status: int | None = None
        self._errno = 0
        self._elapsed_ms = 0

    @property
    def is_too_large(self) -> bool:
        """Whether more than the bound has been written to stdout."""
        return len(self._stdout) > self._limit

    def channels(self) -> Iterator[tuple[str, int, int]]:
        """Yield name, descriptor and awaited events of every pipe that is still open and worth watching."""
        for name in ("stdin", "stdout", "stderr", "status"):
            descriptor = getattr(self._pipes, name)
            if descriptor >= 0:
                yield name, descriptor, selectors.EVENT_WRITE if name == "stdin" else selectors.EVENT_READ

    def serve(self, name: str) -> bool:
        """Write to or read from a pipe that is ready; False when there will be nothing more, and it can be closed."""
        if name == "stdin":
            return self._feed()
        try:
            data = os.read(getattr(self._pipes, name), _CHUNK)
        except BlockingIOError:
            return True
        self._take(name, data)
        return bool(data)

    def close(self, name: str = "") -> None:
        """Close one pipe, or all."""
        if name:
            self._pipes.close_one(name)
        else:
            self._pipes.close()

    def killed(self, why: str) -> None:
        """Note that the handler has been killed, and why: "timed_out", "too_large", or "" on request."""
        self._how = self._how or why
        self.killed_at = self.killed_at or time.monotonic()

    def over(self, status: int | None) -> None:
        """Take what had been written when the process exited. status: of `waitpid`; None: it does not end."""
        self._elapsed_ms = math.ceil((time.monotonic() - self._start) * 1000)
        self._status = status
        for name, descriptor, _ in self.channels():
            if name != "stdin":
                self._take(name, _written(descriptor))
        self._errno = int(_written(self._pipes.failure) or b"0")

    def report(self) -> tuple[dict[str, object], bytes]:
        """Return head and body of the frame that says how the call ended: stdout, then stderr."""
        how, status = self._end()
        out = b"" if how == "too_large" else bytes(self._stdout)
        head = {"number": self.number, "how": how, "status": status, "ms": self._elapsed_ms, "out": len(out)}
        return head, out + bytes(self._stderr)

    def _end(self) -> tuple[str, int | None]:
        if self._errno:
            return "not_started", self._errno
        if self._how or self.is_too_large:
            return self._how or "too_large", None
        if self._status is None:
            return "lost", None
        code = os.waitstatus_to_exitcode(self._status)
        if code < 0:
            return "signalled", -code
        if self._is_unentered(code):
            return "not_started", None
        return "exited", code

    def _is_unentered(self, code: int) -> bool:
        # bwrap tells the exit code of a command that it has run, and of no other.
        return bool(code) and self.is_sandboxed and self._told_by_sandbox("exit-code") is None and not self.killed_at

    def _feed(self) -> bool:
        try:
            sent = os.write(self._pipes.stdin, self._unsent[:_CHUNK])
        except BlockingIOError:
            return True
        except OSError:
            return False  # it has closed its end, or exited, before it had read all: that is its right
        self._unsent = self._unsent[sent:]
        return bool(self._unsent)

    def _take(self, name: str, data: bytes) -> None:
        if name == "stdout" and not self.is_too_large:
            self._stdout += data
        elif name == "stderr":
            self._stderr += data
            del self._stderr[:-KEPT_STDERR]
        elif name == "status":
            self._sandbox += data
            self._enter()

    def _enter(self) -> None:
        """Let the sandbox go on once its first process is known and bounded."""
        first = self._told_by_sandbox("child-pid")
        if first is not None and self._pipes.block >= 0:
            limit_processes(first)
            with suppress(OSError):
                os.write(self._pipes.block, b"!")
            self._pipes.close_one("block")

    def _told_by_sandbox(self, field: str) -> int | None:
        for line in self._sandbox.split(b"\n")[:-1]:
            with suppress(ValueError, AttributeError):  # another program of that name
                told: object = json.loads(line).get(field)
                if isinstance(told, int):
                    return told
        return None


def _written(descriptor: int) -> bytes:
    """Return what stands in a pipe now, and no more: whoever still holds its other end might write for ever."""
    size = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0"))[0]
    data = bytearray()
    with suppress(BlockingIOError):
        while len(data) < size and (piece := os.read(descriptor, size - len(data))):
            data += piece
    return bytes(data)
