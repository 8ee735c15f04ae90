"""Durable actions per second against the floor: append and two flushes an action, in the same run."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from agentl.durable.options import RunOptions
from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.journal.stores.file import FileStore
from agentl.syntax.parser import parse_source

CALLS = 2000


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


def floor(folder: Path, calls: int = CALLS) -> float:
    """Seconds for the same effects between two appended and flushed lines of the sizes a journal writes."""
    outside = effect(folder / "floor-effects")
    log = os.open(folder / "floor.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    intent, result = b"i" * 520 + b"\n", b"r" * 240 + b"\n"
    began = time.perf_counter()
    for _ in range(calls):
        os.write(log, intent)
        os.fsync(log)
        os.write(outside, b"x\n")
        os.write(log, result)
        os.fsync(log)
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


def resume(folder: Path, calls_a_tick: int) -> tuple[int, float]:
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


def main() -> int:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floors, runs = [], {1: [], 10: []}  # type: ignore[var-annotated]
        for turn in range(3):
            (folder / str(turn)).mkdir()
            floors.append(floor(folder / str(turn)))
            for calls_a_tick in runs:
                runs[calls_a_tick].append(durable(folder / str(turn), calls_a_tick))
        base = sorted(floors)[1]
        print(f"{'durable execution, ' + str(CALLS) + ' calls':38} {'calls/s':>9} {'of floor':>9}")
        print(f"{'floor: append + fsync, twice a call':38} {CALLS / base:9.0f} {1:9.2f}")
        for calls_a_tick, times in runs.items():
            took = sorted(times)[1]
            label = f"{calls_a_tick} call{'s' if calls_a_tick > 1 else ''} a tick"
            print(f"{label:38} {CALLS / took:9.0f} {base / took:9.2f}")
        entries, took = resume(folder / "2", 10)
        print(f"{'derived again, entries/s':38} {entries / took:9.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
