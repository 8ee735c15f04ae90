"""The command line in forked processes: as real as a new interpreter for signals and exit codes, and much faster."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# Loaded once, so that every child has them.
import agentl.cli.commands.durable
import agentl.cli.commands.replay
import agentl.cli.commands.run
import agentl.cli.group
import agentl.cli.replaying
import agentl.cli.resuming
import agentl.cli.run_folders
import agentl.cli.running
from agentl.analysis.check import check
from agentl.cli.app import main
from agentl.diagnostics import Source
from agentl.syntax.parser import parse

KILLED = -signal.SIGKILL
PATIENCE_S = 30


check(parse(Source("AGENT warm { POLICY { DEFAULT ALLOW } LOOP { OBSERVE } }")))


@dataclass(frozen=True)
class Ended:
    """How a process ended: exit code, or minus the number of the signal; and what it wrote."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit {self.code}\n--- out\n{self.out}--- err\n{self.err}"


def agentl(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Ended:
    """Run `agentl` to its end in a process of its own; English unless `--lang` says otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("in", "out", "err")]
        streams[0].write_bytes(stdin)
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            _become([str(argument) for argument in arguments], streams, cwd, environment)
        status = _wait(child)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        out, err = (stream.read_bytes().decode("utf-8") for stream in streams[1:])
    return Ended(code, out, err)


def _wait(child: int) -> int:
    previous = signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(PATIENCE_S)
    try:
        return os.waitpid(child, 0)[1]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def _become(arguments: list[str], streams: list[Path], cwd: Path | None, environment: Mapping[str, str]) -> None:
    """Never returns."""
    code = 99
    try:
        for number, stream in enumerate(streams):
            fd = os.open(stream, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(fd, number)
            os.close(fd)
        sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        os.environ.pop("AGENTL_LANG", None)
        os.environ.update(environment)
        if cwd is not None:
            os.chdir(cwd)
        code = main(arguments)
        sys.stdout.flush()
    finally:
        os._exit(code)
