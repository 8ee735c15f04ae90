"""Starting one process without a thread and without `preexec_fn`: fork, a gate, exec (contract §7, Launcher)."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from agentl.operations.frames import BLOCK_FD, LOCK_FD, STATUS_FD

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_LINUX = sys.platform.startswith("linux")
_LIBC = ctypes.CDLL(None, use_errno=True) if _LINUX else None
_OUT_OF_THE_WAY = 64  # above every number that a handler is given
_LIMITS = {"RLIMIT_NOFILE": 256, "RLIMIT_CORE": 0}
PROCESSES = 128


@dataclass(slots=True)
class Pipes:
    """Our ends of the pipes of a started process, all of them non-blocking. `failure` tells the errno of an exec that
    did not happen; `status` and `block` exist for a sandbox only."""

    stdin: int
    stdout: int
    stderr: int
    failure: int
    status: int = -1
    block: int = -1

    def close(self) -> None:
        """Close all of them."""
        for name in ("stdin", "stdout", "stderr", "failure", "status", "block"):
            self.close_one(name)

    def close_one(self, name: str) -> None:
        """Close one of them, once."""
        descriptor: int = getattr(self, name)
        setattr(self, name, -1)
        if descriptor >= 0:
            os.close(descriptor)


def become_subreaper() -> None:
    """Inherit every process below this one whose parent ends. Linux only: elsewhere the first process inherits it."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def spawn(
    argv: Sequence[str],
    env: Mapping[str, str],
    *,
    cwd: int | None,
    lock: int | None,
    sandboxed: bool,
    note: Callable[[int], None],
) -> tuple[int, Pipes]:
    """Start a process in a session and group of its own; return its number and our ends of its pipes.

    cwd: an opened folder; None: this process's. lock: inherited as LOCK_FD. note: told the number before the program
    runs; when it raises, nothing has run. A program that cannot be run shows as an errno in the pipe `failure`.
    OSError: no pipe or no process could be made, or `note` failed; nothing has run.
    """
    opened: list[int] = []
    try:
        pairs = [_pipe(opened) for _ in range(7 if sandboxed else 5)]
        (stdin, in_w), (out_r, stdout), (err_r, stderr), (failure_r, failure), (gate, gate_w), *more = pairs
        inherited = {stdin: 0, stdout: 1, stderr: 2}
        pipes = Pipes(in_w, out_r, err_r, failure_r)
        if lock is not None:
            inherited[lock] = LOCK_FD
        if sandboxed:
            (pipes.status, status), (block, pipes.block) = more
            inherited |= {status: STATUS_FD, block: BLOCK_FD}
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(gate_w)
            _become(argv, env, inherited, cwd, gate, failure, parent)
    except BaseException:
        for descriptor in opened:
            os.close(descriptor)
        raise
    ours = {pipes.stdin, pipes.stdout, pipes.stderr, pipes.failure, pipes.status, pipes.block, gate_w}
    for descriptor in set(opened) - ours:
        os.close(descriptor)
    for descriptor in ours - {-1, gate_w}:
        os.set_blocking(descriptor, False)
    _open_gate(gate_w, pid, pipes, note)
    return pid, pipes


def limit_processes(pid: int) -> None:
    """Bound how many processes a sandbox holds, counted within its own user namespace, by its first process.

    Not for a process outside a sandbox: there the system counts all processes of the user, the server's too.
    """
    if _LINUX:
        with suppress(OSError, ValueError):  # ValueError: the bound in force is lower
            resource.prlimit(pid, resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))


def _pipe(opened: list[int]) -> tuple[int, int]:
    ends = os.pipe()
    opened += ends
    return ends


def _open_gate(gate: int, pid: int, pipes: Pipes, note: Callable[[int], None]) -> None:
    # The process waits at the gate until it has been noted: none that runs is unknown to whoever comes after a crash.
    try:
        note(pid)
        os.write(gate, b"!")
    except BaseException:
        pipes.close()
        raise
    finally:
        os.close(gate)


def _become(
    argv: Sequence[str],
    env: Mapping[str, str],
    inherited: Mapping[int, int],
    cwd: int | None,
    gate: int,
    failure: int,
    parent: int,
) -> NoReturn:
    """In the new process: leave everything of the launcher behind and run the program."""
    try:
        os.setsid()
        _die_with(parent)
        if not os.read(gate, 1):
            os._exit(127)  # it could not be noted, or the launcher is gone
        _restore_signals()
        _set_limits()
        if cwd is not None:
            os.fchdir(cwd)
        moved = {
            fcntl.fcntl(source, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY): target for source, target in inherited.items()
        }
        failure = fcntl.fcntl(failure, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
        for source, target in moved.items():
            os.dup2(source, target, inheritable=True)
        os.execve(argv[0], list(argv), dict(env))
    except BaseException as error:
        number = error.errno if isinstance(error, OSError) and error.errno else errno.EINVAL
        os.write(failure, str(number).encode())
    finally:
        os._exit(127)  # whatever happens, this process is no second launcher


def _die_with(parent: int) -> None:
    # The order matters: a parent that ended before the first line has sent no signal, and shows in the second.
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(127)


def _restore_signals() -> None:
    signal.set_wakeup_fd(-1)
    for name in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _set_limits() -> None:
    for name, most in _LIMITS.items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
