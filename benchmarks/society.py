"""A society of 100 agents: rounds a second, and how time and memory grow with the length of the history.

Every agent reads a sensor, makes a governed call and sends one message, each tick. With the whole trace kept, memory
may grow with the history, but only in a straight line. Time is of the processor; memory is what tracemalloc counts, in
runs of their own, since it slows them.
"""

from __future__ import annotations

import gc
import time
import tracemalloc

from agentl.durable.options import RunOptions
from agentl.durable.society import Society
from agentl.hosting.host import Host
from agentl.syntax.parser import parse_source
from benchmarks.table import Table

AGENTS = 100
HISTORIES = (50, 100)  # rounds
SLACK = 1.35  # twice the history may cost so much more than twice


def program(agents: int = AGENTS) -> str:
    """A ring: each agent tells the next one what it has counted."""
    return "\n".join(
        f"""AGENT a{n} {{
            GOAL never {{ ACHIEVE world.done == yes }}
            BELIEF {{ heard.count = 0 }}
            OBSERVE {{ clock.now }}
            TOOL work {{ INPUT {{ n: Number }} OUTPUT {{ ok: Bool }} RISK LOW }}
            POLICY {{ DEFAULT DENY  ALLOW work  NEVER work WHEN n > 1000000 }}
            ON MESSAGE hello {{ SET heard.count = heard.count + count }}
            PLAN go WHEN clock.now >= 0 {{
                work(n = clock.now)
                MESSAGE hello {{ TO a{(n + 1) % agents} PAYLOAD {{ count 1 }} }}
            }}
        }}"""
        for n in range(agents)
    )


def society(kept: int | None = None) -> Society:
    host, ticks = Host(), iter(range(10**9))
    host.sensors["clock.now"] = lambda: next(ticks)
    host.tools["work"] = lambda n: {"ok": True}
    return Society(parse_source(program()), host, options=RunOptions(trace_keep=kept))


def seconds() -> dict[int, float]:
    """Seconds up to each length of history, in one run."""
    made, took = society(), {}
    start = time.process_time()
    for rounds in made.iter_ticks(max_ticks=max(HISTORIES)):
        if rounds in HISTORIES:
            took[rounds] = time.process_time() - start
    assert made.metrics["tool_calls"] == max(HISTORIES) * AGENTS, made.metrics
    return took


def mebibytes(kept: int | None) -> dict[int, float]:
    """What each length of history has left in memory, in one run; `kept` events of the trace, None for all."""
    made, held = society(kept), {}
    tracemalloc.start()
    for rounds in made.iter_ticks(max_ticks=max(HISTORIES)):
        if rounds in HISTORIES:
            gc.collect()
            held[rounds] = tracemalloc.get_traced_memory()[0] / 2**20
    tracemalloc.stop()
    return held


def main() -> Table:
    columns = ("rounds", "seconds", "rounds a second", "agent ticks a second", "MiB, whole trace", "MiB, no trace")
    table = Table(f"Society of {AGENTS} agents", columns)
    took, whole, bare = seconds(), mebibytes(None), mebibytes(0)
    for rounds, second in took.items():
        rate = rounds / second
        table.add(rounds, second, rate, f"{rate * AGENTS:,.0f}", whole[rounds], bare[rounds])
    short, long = HISTORIES
    most = long / short * SLACK
    for what, growth in (("time", took[long] / took[short]), ("memory", whole[long] / whole[short])):
        table.goal(f"{long} rounds: at most {most:.1f} × the {what} of {short} ({growth:.2f})", growth <= most)
    return table


if __name__ == "__main__":
    print(main().render())
