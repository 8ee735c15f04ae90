"""Races real processes for one run: the racers are forked from this warmed process and released together.

`python racing.py` reads one request a line (JSON) and answers each with a line. Kept apart from the test runner, whose
own threads do not survive a fork.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.journal.errors import OwnedElsewhere
from agentl.journal.stores import FileStore
from agentl.journal.stores.syscalls import Syscalls
from agentl.syntax.parser import parse_source
from agentl.testing.outside import Effect, Ledger, promising

PROGRAM = """\
AGENT RACE {
    TOOL first { INPUT { amount: Number } RISK LOW }
    TOOL second { INPUT { amount: Number } RISK LOW }
    POLICY { DEFAULT ALLOW }
    PLAN work WHEN TRUE { first(amount = 1) second(amount = 2) }
    LOOP MAX 1 { SELECT_PLAN EXECUTE }
}
"""
AGENT = parse_source(PROGRAM).agents[0]
PATIENCE_S = 20.0  # how long a racer may be silent


class NoLock(Syscalls):
    """A lock that excludes nobody, as on a network home."""

    def lock(self, fd: int) -> bool:
        return True


class Gate:
    """Children wait at it; the parent opens it for all of them."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()

    def wait(self) -> None:
        """In a child: return when the parent has opened the gate."""
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1
        os.read(self._reading, 1)

    def open(self) -> None:
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1

    def close(self) -> None:
        self.open()
        os.close(self._reading)


@dataclass
class Racer:
    """One child. `said` is what it has written so far: "called" when it is inside a tool, then how it ended."""

    pid: int
    said_on: int
    said: str = ""
    code: int | None = None
    seconds: float = 0.0

    @property
    def has_ended(self) -> bool:
        return self.said.endswith("\0")

    def hear(self) -> None:
        """Take what it says next; an end without a word is an end too."""
        self.said += os.read(self.said_on, 65536).decode() or "\0"

    def listen(self, until: str) -> None:
        """Wait until it has said this, or has ended."""
        while until not in self.said and not self.has_ended:
            if not _speaking([self]):
                raise TimeoutError(f"{self.pid} never said {until!r}, only {self.said!r}")
            self.hear()

    def kill(self, number: int) -> None:
        os.kill(self.pid, number)

    def wait(self) -> int:
        """Wait for its end; its exit code, a signal negative."""
        if self.code is None:
            self.listen("\0")
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.said_on)
        return self.code


def _speaking(racers: list[Racer]) -> list[Racer]:
    """Those that have something to say, when one does; [] when none does in good time."""
    ready, _, _ = select.select([racer.said_on for racer in racers], [], [], PATIENCE_S)
    return [racer for racer in racers if racer.said_on in ready]


@dataclass
class Race:
    """A run folder, its ledger, and the processes that want it."""

    folder: str
    ledger: str
    promise: Any = "none"
    syscalls: type[Syscalls] = Syscalls
    start: Gate = field(default_factory=Gate)
    inside: Gate = field(default_factory=Gate)

    def enter(self, *, holding: str = "", before: bool = False) -> Racer:
        """Fork a process that waits for the start and then drives the run.

        `holding`: the tool whose call waits at the gate `inside`, after its effect or `before` it.
        """
        reading, writing = os.pipe()
        pid = os.fork()
        if pid:
            os.close(writing)
            return Racer(pid, reading)
        code = 70
        try:
            os.close(reading)
            code = self._drive(writing, holding, before)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def _drive(self, writing: int, holding: str, before: bool) -> int:
        def say(text: str) -> None:
            os.write(writing, text.encode())

        def hold() -> None:
            say("called ")
            self.inside.wait()

        host = self._host(holding, before, hold)
        self.start.wait()
        begun = time.monotonic()
        try:
            DurableRun(AGENT, host, store=FileStore(self.folder, syscalls=self.syscalls()), run_id="race").run()
        except OwnedElsewhere as error:
            say(f"{time.monotonic() - begun:.3f} {error}\0")
            return error.exit_code
        say(f"{time.monotonic() - begun:.3f}\0")
        return 0

    def _host(self, holding: str, before: bool, hold: Callable[[], None]) -> Host:
        host, ledger = Host(), Ledger(self.ledger)

        def heard(effect: Effect) -> None:
            if before and effect.tool == holding:
                hold()

        def called(name: str) -> Callable[..., None]:
            return lambda amount: None

        for name in ("first", "second"):
            host.tool(name)(called(name))
        promising(host, self.promise, ledger, heard)
        if holding and not before:
            host.tools[holding] = _then(host.tools[holding], hold)
        return host

    def close(self) -> None:
        self.start.close()
        self.inside.close()


def _then(call: Callable[..., Any], hold: Callable[[], None]) -> Callable[..., Any]:
    def held(**args: Any) -> Any:
        answer = call(**args)
        hold()
        return answer

    return held


def duel(folder: str, ledger: str, racers: int, held: bool) -> dict[str, Any]:
    """Release racers at one moment. `held`: the one that gets the run keeps it until all others have ended."""
    race = Race(folder, ledger, "idempotent")
    entered = [race.enter(holding="first" if held else "") for _ in range(racers)]
    race.start.open()
    if held:
        # Whoever is inside says so and stays; the others end by themselves.
        while sum(not racer.has_ended for racer in entered) > 1 or not any("called" in r.said for r in entered):
            speaking = _speaking([racer for racer in entered if not racer.has_ended])
            if not speaking:
                break
            for racer in speaking:
                racer.hear()
    race.inside.open()
    codes = [racer.wait() for racer in entered]
    race.close()
    return {
        "codes": codes,
        "said": [racer.said.rstrip("\0") for racer in entered],
        "pids": [racer.pid for racer in entered],
    }


def interrupt(folder: str, ledger: str) -> dict[str, Any]:
    """Leave a run whose owner was killed inside its first call, after the effect."""
    race = Race(folder, ledger, "idempotent")
    owner = race.enter(holding="first")
    race.start.open()
    owner.listen("called")
    owner.kill(signal.SIGKILL)
    race.close()
    return {"code": owner.wait()}


def take_over(folder: str, ledger: str) -> dict[str, Any]:
    """The owner is killed inside its first call; two others want the run at that moment."""
    return {"owner": interrupt(folder, ledger)["code"], **duel(folder, ledger, 2, True)}


def wake(folder: str, ledger: str, before: bool) -> dict[str, Any]:
    """The owner sleeps inside a call while another finishes the run, then wakes. The lock excludes nobody."""
    race = Race(folder, ledger, "none", NoLock)
    sleeper = race.enter(holding="first", before=before)
    race.start.open()
    sleeper.listen("called")
    sleeper.kill(signal.SIGSTOP)
    other = Race(folder, ledger, "none", NoLock)
    successor = other.enter()
    other.start.open()
    successor.wait()
    log = Path(folder, "wal.jsonl").read_bytes()
    race.inside.open()
    sleeper.kill(signal.SIGCONT)
    sleeper.wait()
    race.close()
    other.close()
    return {
        "codes": [successor.code, sleeper.code],
        "said": sleeper.said.rstrip("\0"),
        "same_log": Path(folder, "wal.jsonl").read_bytes() == log,
    }


def stopped(folder: str, ledger: str) -> dict[str, Any]:
    """The owner sleeps inside a call; nobody gets the run while its lock lives; awake again it ends the run."""
    race = Race(folder, ledger, "none")
    sleeper = race.enter(holding="first")
    race.start.open()
    sleeper.listen("called")
    sleeper.kill(signal.SIGSTOP)
    other = Race(folder, ledger, "none")
    refused = other.enter()
    other.start.open()
    refused.wait()
    race.inside.open()
    sleeper.kill(signal.SIGCONT)
    sleeper.wait()
    race.close()
    other.close()
    return {"codes": [sleeper.code, refused.code], "said": refused.said.rstrip("\0"), "pids": [sleeper.pid]}


ACTS: dict[str, Callable[..., dict[str, Any]]] = {
    "duel": duel,
    "interrupt": interrupt,
    "take over": take_over,
    "wake": wake,
    "stopped": stopped,
}


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(ACTS[request.pop("act")](**request)), flush=True)


if __name__ == "__main__":
    main()
