"""Durable actions per second against two floors in the same run: append and flush twice an action.

The floors do nothing else: no policy, no permit, no hash. One flushes with fsync, the other with fdatasync, which the
store uses and which is cheaper; the goal is held against the stricter second one.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from agentl.durable.options import RunOptions
from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.journal.stores.file import FileStore
from agentl.syntax.parser import parse_source
from benchmarks.table import Table

CALLS = 2000
ROUNDS = 3
GOAL = 0.5


def program(calls_a_tick: int) -> str:
    """A program that makes `calls_a_tick` governed calls in each of its ticks."""
    calls = "\n".join("work(n = 1)" for _ in range(calls_a_tick))
    return f"""AGENT bench {{
        GOAL never {{ ACHIEVE world.done == yes }}
        TOOL work {{ INPUT {{ n: Int }} OUTPUT {{ ok: Bool }} RISK LOW }}
        POLICY {{ DEFAULT DENY  ALLOW work  NEVER work WHEN n > 100 }}
        PLAN go WHEN 1 == 1 {{ {calls} }}
        LOOP MAX 100000 {{ SELECT_PLAN EXECUTE }}
    }}"""


def effect(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def floor(folder: Path, flush: Callable[[int], None], calls: int = CALLS) -> float:
    """Seconds for the same effects between two appended and flushed lines of the sizes a journal writes."""
    outside = effect(folder / "floor-effects")
    log = os.open(folder / f"floor-{flush.__name__}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    intent, result = b"i" * 520 + b"\n", b"r" * 240 + b"\n"
    began = time.perf_counter()
    for _ in range(calls):
        os.write(log, intent)
        flush(log)
        os.write(outside, b"x\n")
        os.write(log, result)
        flush(log)
    took = time.perf_counter() - began
    os.close(log)
    os.close(outside)
    return took


def durable(folder: Path, calls_a_tick: int, calls: int = CALLS) -> float:
    """Seconds for `calls` governed, journaled calls."""
    outside = effect(folder / f"effects-{calls_a_tick}")
    host = Host()

    @host.tool("work", idempotent=True)
    def work(n: int) -> dict[str, bool]:
        os.write(outside, b"x\n")
        return {"ok": True}

    source = program(calls_a_tick)
    run = DurableRun(
        parse_source(source),
        host,
        store=FileStore(folder / f"run-{calls_a_tick}"),
        source=source,
        options=RunOptions(trace_keep=100),
    )
    began = time.perf_counter()
    run.run(max_ticks=calls // calls_a_tick)
    took = time.perf_counter() - began
    os.close(outside)
    return took


def derive_again(folder: Path, calls_a_tick: int) -> tuple[int, float]:
    """Entries and seconds of deriving the finished run again."""
    source = program(calls_a_tick)
    run = DurableRun(
        parse_source(source),
        Host(),
        store=FileStore(folder / f"run-{calls_a_tick}"),
        options=RunOptions(trace_keep=100, allow_missing_tools=True),
    )
    began = time.perf_counter()
    run.run()
    return len(run.inspection.entries), time.perf_counter() - began


def main() -> Table:
    table = Table(f"Durable execution, {CALLS} calls", ("run", "calls/s", "of fsync floor", "of fdatasync floor"))
    floors: dict[str, list[float]] = {"fsync": [], "fdatasync": []}
    runs: dict[int, list[float]] = {1: [], 10: []}
    with tempfile.TemporaryDirectory() as name:
        for turn in range(ROUNDS):
            folder = Path(name, str(turn))
            folder.mkdir()
            for kind, times in floors.items():
                times.append(floor(folder, getattr(os, kind)))
            for calls_a_tick, times in runs.items():
                times.append(durable(folder, calls_a_tick))
        entries, took = derive_again(folder, 10)
    fsync, fdatasync = median(floors["fsync"]), median(floors["fdatasync"])
    table.add("floor: append + fsync, twice", CALLS / fsync, 1.0, fdatasync / fsync)
    table.add("floor: append + fdatasync, twice", CALLS / fdatasync, fsync / fdatasync, 1.0)
    for calls_a_tick, times in runs.items():
        each = median(times)
        table.add(f"{calls_a_tick} a tick", CALLS / each, fsync / each, fdatasync / each)
    table.add("derived again (entries/s)", entries / took, "", "")
    reached = fdatasync / median(runs[10])
    table.goal(f"at 10 calls a tick at least {GOAL} of the fdatasync floor ({reached:.2f})", reached >= GOAL)
    return table


if __name__ == "__main__":
    print(main().render())
