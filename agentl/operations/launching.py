"""The server's side of the launcher: one blocking call for one launch, from any thread (contract §7, Launcher)."""

from __future__ import annotations

import errno
import math
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Literal

import agentl
from agentl.journal.clocks import SystemClocks
from agentl.operations.frames import Frame, Frames, pack

How = Literal["exited", "signalled", "timed_out", "too_large", "lost", "not_started"]

# WHY -S and a path of its own: the launcher needs two folders of modules, not what is installed beside them.
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from agentl.operations.launcher import main; main(int(sys.argv[2]))"
)
_ROOT = str(Path(agentl.__file__).parents[1])
_CHUNK = 1 << 18
_LEAVE_S = 5.0  # how long a launcher may take to kill everything


@dataclass(frozen=True, slots=True)
class WorkingFolder:
    """A folder opened at start. A launch goes there only while its path still leads to the same folder."""

    path: Path
    descriptor: int

    @classmethod
    def open(cls, path: Path) -> WorkingFolder:
        """OSError when it is no folder that can be opened."""
        return cls(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    @property
    def is_the_same(self) -> bool:
        """Whether the path still leads to the folder that was opened."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self.descriptor))
        except OSError:
            return False

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of a handler.

    argv: program (an absolute path) and arguments, no shell. env: the whole environment. stdin: written, then closed.
    timeout_ms: killed then, with no grace. max_output_bytes: killed when stdout exceeds it. lock: a descriptor that the
    handler inherits. sandboxed: argv begins with `bwrap` and its descriptors of `frames`.
    """

    call_id: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    stdin: bytes = field(repr=False)
    timeout_ms: int
    max_output_bytes: int
    cwd: WorkingFolder | None = None
    lock: int | None = None
    sandboxed: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """How a launch ended.

    how: `exited` (status: exit code), `signalled` (status: signal), `timed_out`, `too_large`, `lost` (the launcher is
    gone, or the system does not end the process), `not_started` (for certain nothing has run; status: errno, ESTALE
    when the working folder is another one, None when the sandbox was the reason). stdout: what had been written when
    the process exited; stderr: the last 16 KiB of it. elapsed_ms: from the launch to that exit, rounded up.
    """

    how: How
    status: int | None = None
    stdout: bytes = field(default=b"", repr=False)
    stderr: bytes = field(default=b"", repr=False)
    elapsed_ms: int = 0


class Launcher:
    """Keeps one launcher process; starts another one when it has died. Safe to use from several threads.

    silence_s: how long after the time-out of a call its end is waited for. A launcher that says nothing by then hangs,
    or was stopped; it is killed, and its calls are lost.
    """

    def __init__(self, silence_s: float = 20.0) -> None:
        self._silence_s = silence_s
        self._lock = Lock()
        self._connection: _Connection | None = None
        self._closed = False
        self._boot_id = SystemClocks().boot_id

    def start(self) -> None:
        """Start the process now and not with the first launch. OSError when that fails."""
        self._connected()

    @property
    def pid(self) -> int | None:
        """The number of the launcher's process; None before the first start."""
        return self._connection.pid if self._connection is not None else None

    def launch(self, launch: Launch) -> Ended:
        """Start the handler and wait until the call is over. Never raises for what a handler does."""
        if launch.cwd is not None and not launch.cwd.is_the_same:
            return Ended("not_started", errno.ESTALE)
        ended = None
        while ended is None:  # a launcher that died unnoticed was told nothing: another one is started
            try:
                connection = self._connected()
            except OSError as error:
                return Ended("not_started", error.errno)
            except LauncherClosed:
                return Ended("not_started")
            ended = connection.launch(launch, self._boot_id)
        return ended

    def kill(self, call_id: str) -> bool:
        """Kill the handler of a call under way, with all below it; False when there is none of that id."""
        connection = self._connection
        return connection is not None and connection.kill(call_id)

    def close(self) -> None:
        """End the launcher and with it every handler; calls under way are `lost`, later ones `not_started`."""
        with self._lock:
            self._closed = True
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _connected(self) -> _Connection:
        with self._lock:
            if self._closed:
                raise LauncherClosed
            if self._connection is None or self._connection.is_over:
                self._connection = _Connection(self._silence_s)
            return self._connection


class LauncherClosed(Exception):
    """Asked to launch after `close`."""


class _Pending:
    """A call under way, and the thread that waits for it."""

    def __init__(self, call_id: str) -> None:
        self.call_id = call_id
        self.over = Event()
        self.began = time.monotonic()
        self.ended: Ended | None = None

    def end(self, ended: Ended | None = None) -> None:
        elapsed_ms = math.ceil((time.monotonic() - self.began) * 1000)
        self.ended = ended or Ended("lost", elapsed_ms=elapsed_ms)
        self.over.set()


class _Connection:
    """One launcher process, from its start to its end."""

    def __init__(self, silence_s: float) -> None:
        self.is_over = False
        self._silence_s = silence_s
        self._pending: dict[int, _Pending] = {}
        self._numbers = count(1)
        self._lock = Lock()  # of the table
        self._sending = Lock()
        self._socket, theirs = socket.socketpair()
        # Of sending only, and not `settimeout`: that holds for receiving too, where silence is the rule.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", math.ceil(silence_s), 0))
        with theirs:
            arguments = [sys.executable, "-I", "-S", "-c", _CODE, _ROOT, str(theirs.fileno())]
            try:
                self._process = subprocess.Popen(
                    arguments,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env={},  # what is in ours is nobody's business there
                    start_new_session=True,  # an interrupt on the terminal is for the server, which ends it in order
                )
            except OSError:
                self._socket.close()
                raise
        self._reader = Thread(target=self._listen, name="agentl-launcher", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def launch(self, launch: Launch, boot_id: str) -> Ended | None:
        """None: the launcher had died before it was told anything."""
        with self._sending:  # entered and sent as one, so that a call that can be found can be killed
            number, pending = self._enter(launch.call_id)
            if pending is None:
                return None
            self._send(*_message(launch, number, boot_id))
        if not pending.over.wait(launch.timeout_ms / 1000 + self._silence_s):
            self._process.kill()
            pending.over.wait()
        return pending.ended

    def kill(self, call_id: str) -> bool:
        with self._lock:
            numbers = [number for number, pending in self._pending.items() if pending.call_id == call_id]
        with self._sending:
            for number in numbers:
                self._send(pack({"do": "kill", "number": number}), [])
        return bool(numbers)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join(_LEAVE_S * 2)

    def _enter(self, call_id: str) -> tuple[int, _Pending | None]:
        with self._lock:
            number = next(self._numbers)
            if self.is_over:
                return number, None
            pending = self._pending[number] = _Pending(call_id)
            return number, pending

    def _send(self, data: bytes, descriptors: list[int]) -> None:
        try:
            sent = socket.send_fds(self._socket, [data[:_CHUNK]], descriptors) if descriptors else 0
            self._socket.sendall(memoryview(data)[sent:])
        except OSError:
            self._process.kill()  # gone, or deaf; the reader sees its end and ends every call

    def _listen(self) -> None:
        frames = Frames()
        with suppress(OSError):
            while data := self._socket.recv(_CHUNK):
                for frame in frames.feed(data, []):
                    self._hear(frame)
        with self._lock:
            self.is_over = True
            left, self._pending = list(self._pending.values()), {}
        self._leave()
        for pending in left:
            pending.end()

    def _hear(self, frame: Frame) -> None:
        head = frame.head
        with self._lock:
            pending = self._pending.pop(head["number"])
        out = head["out"]
        pending.end(Ended(head["how"], head["status"], frame.body[:out], frame.body[out:], head["ms"]))

    def _leave(self) -> None:
        """Close our end, upon which the launcher kills everything; a launcher that cannot is killed."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with self._sending:
            self._socket.close()
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _message(launch: Launch, number: int, boot_id: str) -> tuple[bytes, list[int]]:
    """The frame of a launch and the descriptors that go with it."""
    descriptors = [] if launch.cwd is None else [launch.cwd.descriptor]
    descriptors += [] if launch.lock is None else [launch.lock]
    head = {
        "do": "launch",
        "number": number,
        "descriptors": len(descriptors),
        "argv": launch.argv,
        "env": dict(launch.env),
        "timeout_ms": launch.timeout_ms,
        "max_output_bytes": launch.max_output_bytes,
        "cwd": launch.cwd is not None,
        "lock": launch.lock is not None,
        "sandboxed": launch.sandboxed,
        "boot_id": boot_id,
    }
    return pack(head, launch.stdin), descriptors
