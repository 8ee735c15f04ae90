"""The launcher: one small process that starts handlers, serves them, and kills what is left of them (contract §7).

Standard library only, one thread, one loop. It reads frames from one socket, `launch` and `kill`, and answers each
launch with one frame that says how it ended. When the socket ends it kills every process that it started or inherited,
then itself. On Linux it inherits what its handlers leave behind, and handlers die with it; elsewhere their process
group is killed, and a handler that leaves it, or outlives a killed launcher, is not seen.
"""

from __future__ import annotations

import array
import json
import os
import selectors
import signal
import socket
import time
from contextlib import suppress
from functools import partial

from agentl.operations import processes
from agentl.operations.calls import Call
from agentl.operations.frames import Frame, Frames, pack
from agentl.operations.spawning import become_subreaper, spawn

_CHUNK = 1 << 16
_DESCRIPTORS = 16  # that may come with one piece
_ROUNDS, _ROUND_S = 200, 0.002  # how long the leftovers of a call may take to vanish
_STUCK_S = 5.0  # after which a killed handler that the system does not end is given up


class Launcher:
    """Serves one socket until it ends."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._frames = Frames()
        self._outgoing = bytearray()
        self._calls: dict[int, Call] = {}  # by process number
        self._ended: dict[int, int] = {}  # process number → wait status, not yet looked at
        self._selector = selectors.DefaultSelector()
        self._stop = False

    def serve(self) -> None:
        """Return when the socket has ended and nothing lives that was started."""
        become_subreaper()
        self._connection.setblocking(False)
        self._wait_for_signals()
        self._selector.register(self._connection, selectors.EVENT_READ, self._converse)
        try:
            while not self._stop:
                for key, events in self._selector.select(self._patience()):
                    key.data(events)
                self._reap()
                self._look_at_the_clock()
        finally:
            self._end_all()

    # -- the server ---------------------------------------------------------------------------------------------------

    def _converse(self, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self._flush()
        if events & selectors.EVENT_READ:
            self._receive()

    def _receive(self) -> None:
        try:
            data, descriptors = _receive(self._connection)
        except BlockingIOError:
            return
        except OSError:
            data, descriptors = b"", []
        if not data:
            self._stop = True
            return
        for frame in self._frames.feed(data, descriptors):
            if frame.head["do"] == "launch":
                self._launch(frame)
            else:
                self._kill_numbered(frame.head["number"])

    def _tell(self, head: dict[str, object], body: bytes = b"") -> None:
        self._outgoing += pack(head, body)
        self._flush()

    def _flush(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: self._connection.send(self._outgoing[: _CHUNK * 4])]
        except BlockingIOError:
            pass  # the rest when the server reads on
        except OSError:
            self._stop = True
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._outgoing else 0)
        self._selector.modify(self._connection, wanted, self._converse)

    # -- a call -------------------------------------------------------------------------------------------------------

    def _launch(self, frame: Frame) -> None:
        head, descriptors = frame.head, iter(frame.descriptors)
        cwd = next(descriptors) if head["cwd"] else None
        lock = next(descriptors) if head["lock"] else None
        try:
            pid, pipes = spawn(
                head["argv"],
                head["env"],
                cwd=cwd,
                lock=lock,
                sandboxed=head["sandboxed"],
                note=partial(_note, lock, head["boot_id"]),
            )
        except OSError as error:
            self._tell({"number": head["number"], "how": "not_started", "status": error.errno, "ms": 0, "out": 0})
            return
        finally:
            for descriptor in frame.descriptors:
                os.close(descriptor)
        known = processes.process(pid)
        began = known.start if known is not None else 0
        call = Call(head["number"], pid, pipes, began, frame.body, head["timeout_ms"], head["max_output_bytes"])
        self._calls[pid] = call
        for name, descriptor, events in call.channels():
            self._selector.register(descriptor, events, partial(self._serve, call, name, descriptor))

    def _serve(self, call: Call, name: str, descriptor: int, _: int) -> None:
        """Write to or read from a handler; a pipe that has ended is no longer watched."""
        if call.pid not in self._calls:
            return
        if not call.serve(name):
            self._selector.unregister(descriptor)
            call.close(name)
        if call.is_too_large and call.killed_at is None:
            self._kill(call, "too_large")

    def _kill_numbered(self, number: int) -> None:
        for call in self._calls.values():
            if call.number == number:
                self._kill(call, "")

    def _kill(self, call: Call, why: str) -> None:
        """Kill a handler with everything below it. `why` is how the call ends; "": as the system says."""
        call.killed(why)
        # Stopped first: from its time-out on it does nothing more, and adds nothing below it while that is looked for.
        processes.end(call.pid, group=call.pid, by=signal.SIGSTOP)
        below = [] if call.is_sandboxed else processes.descendants(call.pid)
        processes.end(call.pid, group=call.pid)
        for each in below:
            processes.end(each.pid)

    def _look_at_the_clock(self) -> None:
        now = time.monotonic()
        for call in list(self._calls.values()):
            if call.killed_at is not None and now >= call.killed_at + _STUCK_S:
                self._finish(call, None)  # it hangs in the system; the lock of the attempt says that it lives
            elif call.killed_at is None and now >= call.deadline:
                self._kill(call, "timed_out")

    def _patience(self) -> float | None:
        times = [c.deadline if c.killed_at is None else c.killed_at + _STUCK_S for c in self._calls.values()]
        return max(0.0, min(times) - time.monotonic()) if times else None

    # -- ends ---------------------------------------------------------------------------------------------------------

    def _reap(self) -> None:
        self._collect()
        while self._ended:
            pid, status = self._ended.popitem()
            call = self._calls.get(pid)
            if call is not None:
                self._finish(call, status)

    def _collect(self) -> None:
        """Take the status of every child that has ended; of those that are no handler it is dropped."""
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid in self._calls:
                    self._ended[pid] = status

    def _finish(self, call: Call, status: int | None) -> None:
        """The handler's process has exited, so the call is over: keep what it had written, kill what is left of it."""
        call.over(status)
        del self._calls[call.pid]
        for _, descriptor, _ in call.channels():
            self._selector.unregister(descriptor)
        self._kill_what_is_left(call)
        head, body = call.report()
        call.close()
        self._tell(head, body)

    def _kill_what_is_left(self, call: Call) -> None:
        if not processes.KNOWN:
            processes.end(call.pid, group=call.pid)
        for _ in range(_ROUNDS):
            left = [each for each in processes.descendants(os.getpid()) if self._is_left_of(call, each)]
            if not left:
                return
            for each in left:
                processes.end(each.pid)
            time.sleep(_ROUND_S)
            self._collect()

    def _is_left_of(self, call: Call, each: processes.Process) -> bool:
        """Whether a process below us is a leftover of this call and of no other.

        One that has left the session of its handler and lost its parent might be of any call that ran when it
        started: it is left until the last of those is over.
        """
        top = each
        while top.parent != os.getpid():
            parent = processes.process(top.parent)
            if parent is None:
                return False  # it has just ended: the next round sees who has inherited
            top = parent
        marks = {each.session, each.group, top.pid, top.session, top.group}
        if call.pid in marks:
            return True
        return marks.isdisjoint(self._calls) and all(other.began > top.start for other in self._calls.values())

    def _end_all(self) -> None:
        for _ in range(_ROUNDS * 5):
            left = processes.descendants(os.getpid())
            for pid in {each.pid for each in left} | set(self._calls):
                processes.end(pid, group=pid if pid in self._calls else None)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if not left:
                return
            time.sleep(_ROUND_S)

    def _wait_for_signals(self) -> None:
        waking, awake = os.pipe()
        for end in (waking, awake):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(awake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # They are for the server, which lets handlers end in order; we end with its socket (a service manager sends
        # them to every process there is).
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(name, signal.SIG_IGN)
        self._selector.register(waking, selectors.EVENT_READ, lambda _: os.read(waking, _CHUNK))


def _receive(connection: socket.socket) -> tuple[bytes, list[int]]:
    numbers = array.array("i")
    room = socket.CMSG_LEN(_DESCRIPTORS * numbers.itemsize)
    cloexec = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
    data, ancillary, *_ = connection.recvmsg(_CHUNK * 4, room, cloexec)
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            numbers.frombytes(content[: len(content) - len(content) % numbers.itemsize])
    for number in numbers:
        os.set_inheritable(number, False)  # where the flag does not exist
    return data, list(numbers)


def _note(lock: int | None, boot_id: str, pid: int) -> None:
    """Write into the lock file of the attempt which process carries it out: the second witness (contract §7)."""
    known = processes.process(pid)
    if lock is not None and known is not None:
        os.pwrite(lock, json.dumps({"pid": pid, "start": known.start, "boot_id": boot_id}).encode(), 0)


def main(descriptor: int) -> None:
    """Serve the socket with this number."""
    os.set_inheritable(descriptor, False)
    Launcher(socket.socket(fileno=descriptor)).serve()
