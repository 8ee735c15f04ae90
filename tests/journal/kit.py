"""What the journal's tests share: settable clocks, a scripted run with an outside ledger, recorded system calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.journal.log import Log
from agentl.journal.stores.contract import Store
from agentl.journal.stores.syscalls import Syscalls
from agentl.values import canonical_arguments, domain_digest


@dataclass
class FakeClocks:
    """Clocks that stand still until they are moved."""

    wall: int = 1_700_000_000_000
    boot: float = 100.0
    boot_id: str = "boot-1"
    host: str = "here"
    pid: int = 4242

    def wall_ms(self) -> int:
        return self.wall

    def boot_s(self) -> float:
        return self.boot

    def pause(self, seconds: float) -> None:
        self.boot += seconds


def opening(run_id: str = "r7", **more: Any) -> RawEntry:
    return entries.opening(
        release="0.1.0",
        run_id=run_id,
        key_space=run_id,
        run_digest="d" * 64,
        ir_version=1,
        agents=["DESK"],
        options={"breaker": 3},
        tick_bound=None,
        inputs={},
        memory={},
        **more,
    )


def intent(
    tool: str, number: int = 1, *, promise: str = "none", at: int = 1, key: int | None = None, **more: Any
) -> RawEntry:
    return entries.intent(
        tool,
        action_id=f"r7:DESK:t1:a{number}",
        key=f"{key or number:032x}",
        digest=f"{number:064x}",
        kind="invoke",
        policy="c0ffee0123456789",
        promise=promise,
        boot_id="boot-1",
        boot_clock=100.0,
        at=at,
        **more,
    )


def result(tool: str, value: object = None, **more: Any) -> RawEntry:
    return entries.crossing("invoke", tool, args={}, value=value, **more)


def open_log(store: Store, clocks: Any = None, **more: Any) -> Log:
    return Log.open(store, clocks=clocks or FakeClocks(), release="0.1.0", **more)


def started(store: Store, clocks: Any = None, run_id: str = "r7") -> Log:
    log = open_log(store, clocks)
    log.start(opening(run_id), {"format": "agentl.journal.v1", "run_id": run_id})
    return log


def taken(store: Store, clocks: Any = None) -> Log:
    log = open_log(store, clocks)
    log.take()
    return log


# --- a scripted run: the smallest driver that keeps the protocol of an action

Step = tuple[str, str, dict[str, object]]


@dataclass
class World:
    """The only trusted count: what the tools really did. With a path it is a file that outlives the process."""

    path: str = ""
    calls: list[str] = field(default_factory=list)

    def call(self, tool: str, key: str) -> dict[str, object]:
        line = f"{tool} {key}"
        if self.path:
            fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.write(fd, line.encode() + b"\n")
            os.close(fd)
        else:
            self.calls.append(line)
        return {"done": line}

    def seen(self) -> list[str]:
        if not self.path:
            return self.calls
        ledger = Path(self.path)
        return ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else []


def drive(store: Store, steps: Sequence[Step], world: World, *, promise: str = "none", clocks: Any = None) -> Log:
    """Run a script on a store: start it or resume it, and end it. The log is closed."""
    log = open_log(store, clocks)
    try:
        if log.is_new:
            log.start(opening(), {"format": "agentl.journal.v1"})
        elif not log.machine.is_finished:
            log.take()
        for number, (kind, key, args) in enumerate(steps, start=1):
            if kind == "act":
                _act(log, number, key, args, world, promise)
            elif kind == "read" and log.machine.crossing("read", key) is None:
                log.append(entries.crossing("read", key, value=args.get("value")))
            elif kind == "tick" and log.machine.checkpoint(int(key), state="s" + key, trace="t" + key) is None:
                log.append(entries.checkpoint(int(key), state="s" + key, trace="t" + key))
        log.machine.check_consumed()
        if not log.machine.is_finished:
            log.append(entries.ended(status="completed", ticks=1, trace="t"))
    finally:
        log.close()
    return log


def _act(log: Log, number: int, tool: str, args: dict[str, object], world: World, promise: str) -> None:
    digest = domain_digest("agentl.action.v1", "invoke", tool, canonical_arguments(args))
    action_id = f"r7:DESK:t1:a{number}"
    key = domain_digest("agentl.idem.v1", "r7", "DESK", str(number), digest)[:32]
    served = log.machine.intent(tool, action_id=action_id, digest=digest)
    if served is None:
        body = intent(tool, number, promise=promise)
        fields = dict(entries_fields(body), action_id=action_id, key=key, hash=digest)
        log.append(entries.annotation("intent", tool, fields, at=1))
    else:
        while log.machine.optional_annotation("resolution", tool) is not None:
            pass
        if not log.machine.at_end():
            assert log.machine.crossing("invoke", tool, args) is not None
            return
        how = "retry" if promise == "idempotent" else "in_doubt"
        attempt = log.machine.pending_intents()[-1].attempt + 1 if how == "retry" else None
        log.append(
            entries.resolution(
                tool, action_id=action_id, how=how, boot_id="boot-1", boot_clock=1.0, at=1, attempt=attempt
            )
        )
        if how == "in_doubt":
            log.append(entries.crossing("invoke", tool, args=args, error=("ActionInDoubt", "no result")))
            return
    log.assert_owner()
    value = world.call(tool, key)
    log.append(entries.crossing("invoke", tool, args=args, value=value))


def entries_fields(body: RawEntry) -> dict[str, Any]:
    return {pair[0]: pair[1] for pair in body["args"]["$dict"]}


SCRIPT: list[Step] = [
    ("read", "claim.state", {"value": "open"}),
    ("act", "pay", {"to": "Zürich 🏦", "amount": 40}),
    ("read", "claim.state", {"value": "paid"}),
    ("tick", "1", {}),
    ("act", "notify", {"to": "ops"}),
    ("tick", "2", {}),
]


# --- a recorder of system calls

WRITING = frozenset({"make_directory", "open", "write", "overwrite", "flush", "flush_directory", "replace", "truncate"})


class Recorder(Syscalls):
    """Notes every writing call in order; before (or after) the n-th, `strike` is called with its name."""

    def __init__(self, strike_at: int = 0, strike: Callable[[str], None] | None = None, *, after: bool = False) -> None:
        self.calls: list[tuple[str, str]] = []
        self._strike_at = strike_at
        self._strike = strike
        self._after = after
        self._paths: dict[int, str] = {}

    def _noted(self, name: str, what: str, call: Callable[[], Any]) -> Any:
        self.calls.append((name, Path(what).name))
        due = len(self.calls) == self._strike_at and self._strike is not None
        if due and not self._after and self._strike is not None:
            self._strike(name)
        answer = call()
        if due and self._after and self._strike is not None:
            self._strike(name)
        return answer

    def make_directory(self, path: str) -> None:
        self._noted("make_directory", path, lambda: super(Recorder, self).make_directory(path))

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        if not flags & os.O_CREAT:
            fd = super().open(path, flags, mode)
        else:
            fd = self._noted("open", path, lambda: super(Recorder, self).open(path, flags, mode))
        self._paths[fd] = path
        return fd

    def write(self, fd: int, data: bytes) -> int:
        return int(self._noted("write", self._paths[fd], lambda: super(Recorder, self).write(fd, data)))

    def overwrite(self, fd: int, data: bytes) -> int:
        return int(self._noted("overwrite", self._paths[fd], lambda: super(Recorder, self).overwrite(fd, data)))

    def flush(self, fd: int) -> None:
        self._noted("flush", self._paths[fd], lambda: super(Recorder, self).flush(fd))

    def flush_directory(self, path: str) -> None:
        self._noted("flush_directory", path, lambda: super(Recorder, self).flush_directory(path))

    def replace(self, source: str, target: str) -> None:
        self._noted("replace", target, lambda: super(Recorder, self).replace(source, target))

    def truncate(self, fd: int, size: int) -> None:
        self._noted("truncate", self._paths[fd], lambda: super(Recorder, self).truncate(fd, size))
