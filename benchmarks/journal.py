"""The journal alone: actions a second with two flushes each, against append and fsync twice; and how fast it is read.

An action is an intent and a result; readings and a checkpoint ride on them. The floor writes lines of the same length
to the same disk, subjects alternated. Reading is loading, verifying and serving every entry again. What touches no
disk is measured in time of the processor: what other programs do on the machine does not count.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agentl.journal import entries
from agentl.journal.clocks import SystemClocks
from agentl.journal.entries import RawEntry
from agentl.journal.inspection import inspect
from agentl.journal.log import Log
from agentl.journal.machine import JournalMachine
from agentl.journal.stores import FileStore, MemoryStore, SQLiteStore, Store
from benchmarks.table import Table

ACTIONS = 1_000
ROUNDS = 5
GOAL_RATIO, GOAL_READ = 0.8, 50_000


def main() -> Table:
    table = Table("Journal", ("work", "a second", "× floor"))
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        rates = measure(Path(folder))
        floor = rates["append + fsync, twice (floor)"]
        for name, rate in rates.items():
            table.add(name, f"{rate:,.0f}", rate / floor)
        ratio = rates["file, 10 actions a tick"] / floor
        table.goal(f"a file takes at least {GOAL_RATIO} × the floor at 10 a tick ({ratio:.2f})", ratio >= GOAL_RATIO)
        loaded, served = reading(FileStore(Path(folder, "file-0")))
        table.add("entries read and verified", f"{loaded:,.0f}", "")
        table.add("entries served", f"{served:,.0f}", "")
        began = time.process_time()
        actions(MemoryStore(), 10)
        spent = ACTIONS / (time.process_time() - began)
        table.add("actions, without a disk, 10 a tick", f"{spent:,.0f}", "")
        table.goal(f"{GOAL_READ:,} entries read and verified a second ({loaded:,.0f})", loaded >= GOAL_READ)
    return table


def measure(folder: Path) -> dict[str, float]:
    """Actions a second of every subject, the best of some rounds."""
    subjects: dict[str, Callable[[int], float]] = {
        "append + fsync, twice (floor)": lambda turn: floor(folder / f"floor-{turn}"),
        "file, 1 action a tick": lambda turn: actions(FileStore(folder / f"file-{turn}"), 1),
        "file, 10 actions a tick": lambda turn: actions(FileStore(folder / f"file10-{turn}"), 10),
        "SQLite, 1 action a tick": lambda turn: actions(SQLiteStore(folder / f"{turn}.db", "r7"), 1),
    }
    seconds: dict[str, list[float]] = {name: [] for name in subjects}
    for turn in range(ROUNDS):
        for name, subject in subjects.items():
            seconds[name].append(subject(turn))
    return {name: ACTIONS / min(taken) for name, taken in seconds.items()}


def floor(path: Path) -> float:
    """Seconds for the lines of an action, appended and flushed one after the other."""
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    intent, result = b"i" * 520 + b"\n", b"r" * 240 + b"\n"
    began = time.perf_counter()
    for _ in range(ACTIONS):
        for line in (intent, result):
            os.write(log, line)
            os.fsync(log)
    took = time.perf_counter() - began
    os.close(log)
    return took


def actions(store: Store, a_tick: int) -> float:
    """Seconds for the same through the journal, with a reading and a checkpoint a tick, and the checks of the owner."""
    log = Log.open(store, clocks=SystemClocks(), release="0.1.0")
    log.start(opening(), {"format": "agentl.journal.v1"})
    began = time.perf_counter()
    for number in range(ACTIONS):
        if number % a_tick == 0:
            log.append(entries.crossing("read", "claim.state", value="open"))
        log.append(intent(number))
        log.append(entries.crossing("invoke", "pay", args={"order": "ord-17", "amount": 40}, value={"receipt": number}))
        if number % a_tick == a_tick - 1:
            log.append(entries.checkpoint(number // a_tick, state="5" * 64, trace="7" * 64))
    took = time.perf_counter() - began
    log.close()
    return took


def reading(store: Store) -> tuple[float, float]:
    """Entries a second: read and verified; and served by the machine afterwards."""
    loads, serves = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        seen = inspect(store)
        loaded = time.process_time()
        machine = JournalMachine(seen.entries)
        for entry in seen.entries:
            serve(machine, entry)
        done = time.process_time()
        loads.append(loaded - began)
        serves.append(done - loaded)
    return len(seen.entries) / min(loads), len(seen.entries) / min(serves)


def serve(machine: JournalMachine, entry: RawEntry) -> None:
    kind, key = entry["kind"], entry["key"]
    if kind == "invoke":
        machine.crossing(kind, key, {"order": "ord-17", "amount": 40})
    elif kind == "read":
        machine.crossing(kind, key)
    elif kind in ("intent", "checkpoint"):
        machine.annotation(kind, key)


def opening() -> RawEntry:
    return entries.opening(
        release="0.1.0",
        run_id="r7",
        key_space="r7",
        run_digest="d" * 64,
        ir_version=1,
        agents=["DESK"],
        options={},
        tick_bound=None,
        inputs={},
        memory={},
    )


def intent(number: int) -> RawEntry:
    return entries.intent(
        "pay",
        action_id=f"r7:DESK:t1:a{number}",
        key=f"{number:032x}",
        digest=f"{number:064x}",
        kind="invoke",
        policy="c0ffee0123456789",
        promise="idempotent",
        boot_id="0c6f7a52-91b0-4f0a-9c1f-3f0c1a7e5b11",
        boot_clock=5000.5,
        at=1_767_225_600_000,
    )
