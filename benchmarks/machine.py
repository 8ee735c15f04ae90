"""The machine alone: statements and calls a second, against the bare closures of the same expressions.

The driver is in memory and says yes to every action; what is measured is the machine, its trace and its digests. The
floor of the statements is the same expressions as closures over the same state, run in a Python loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from agentl.ir.program import Agent
from agentl.logic.compile import compile_test, compile_value
from agentl.runtime.answers import Answer, Done, Value
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Act, Request, TickDone
from agentl.runtime.trace import Trace
from agentl.syntax.parser import parse_source
from benchmarks.table import Table

ROUNDS = 5
TURNS = 100
OUTER = 100
CALLS = 2_000
SETS = 2 * TURNS * OUTER  # statements a tick: one IF and one SET a turn

LOOPING = f"""AGENT A {{ BELIEF {{ n: 0 }}
    LOOP {{ SET n = 0 LOOP MAX {OUTER} {{ LOOP MAX {TURNS} {{ IF n < 1000000 THEN {{ SET n = n + 1 }} }} }} }} }}"""
CALLING = f"""AGENT A {{ TOOL t {{ INPUT {{ a: Number b: String }} OUTPUT {{ c: Number }} EFFECT {{ x.y = a }} }}
    LOOP {{ LOOP MAX {CALLS} {{ t(a = 1, b = "x") }} }} }}"""


def main() -> Table:
    table = Table("Machine", ("work", "a second", "× floor"))
    looping = parse_source(LOOPING).agents[0]
    floor = rate(lambda: closures(looping), SETS)
    statements = rate(repeated(looping), SETS)
    calls = rate(repeated(parse_source(CALLING).agents[0]), CALLS)
    table.add("bare closures (floor)", f"{floor:,.0f}", 1.0)
    table.add("SET and IF statements", f"{statements:,.0f}", floor / statements)
    table.add("tool calls", f"{calls:,.0f}", floor / calls)
    return table


def rate(work: Callable[[], object], count: int) -> float:
    """Things done a second, the median of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return count / median(seconds)


def repeated(agent: Agent) -> Callable[[], None]:
    """One tick after the other of one machine that keeps no events."""
    machine = Machine(agent, trace=Trace(keep=0))
    return lambda: tick(machine)


def tick(machine: Machine) -> None:
    """Run one tick of a machine whose world answers at once."""
    machine.begin_tick()
    step = machine.step(None)
    while not isinstance(step, TickDone):
        step = machine.step(reply(step))


def reply(request: Request) -> Answer:
    return Done({"c": 1}, request.args) if isinstance(request, Act) else Value(None)


def closures(agent: Agent) -> None:
    """The same tests and values, without a machine around them."""
    cycle: Any = agent.loop
    inner = cycle.body[1].body[0].body[0]
    test, value = compile_test(inner.condition), compile_value(inner.then[0].value)
    state = Machine(agent).state
    for _ in range(SETS // 2):
        if test(state):
            state.locals["n"] = value(state)


if __name__ == "__main__":
    print(main().render())
