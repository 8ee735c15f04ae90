"""The planner: successors a second, against a hand-written search of the same problem in the same run.

The problem is a row of switches. Each can be turned on by a sure tool and by a cheap one that may jam it; the policy
guards every tool, and the goal is that some of them are on. The floor searches the same distributions with closures
over tuples: requirements, prohibitions, goals and utility as written by hand, and no labels, requests, reasons or
steps. Both must find a plan of the same worth in the same number of successors. Times are of the processor, the best.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from heapq import heappop, heappush

from agentl.logic.scope import Scope
from agentl.planning.problem import PlannerProblem
from agentl.planning.result import PlanningResult
from agentl.planning.search import plan
from agentl.policy import PolicyEngine
from agentl.runtime.tables import contracts_of
from agentl.syntax.parser import parse_source
from agentl.values import Symbol
from benchmarks.table import Table

SIZES = ((4, 2), (8, 3), (12, 3))  # switches there are, switches the goal wants
DEPTH, NODES = 6, 2000
ROUNDS = 5
RATIO, RATE = 12, 5_000  # goals for the largest: times the floor, successors a second

OFF, ON, JAMMED = 0, 1, 2
World = tuple[int, ...]
Weighed = tuple[tuple[float, World], ...]


def program(switches: int, wanted: int) -> str:
    tools = "".join(
        f"""
        TOOL press{n} {{ REQUIRES {{ switch{n}.state == off }} COST {n % 3 + 1}
            OUTCOME done WITH 75% {{ switch{n}.state = on }} OUTCOME stuck WITH 25% {{ switch{n}.state = jammed }} }}
        TOOL force{n} {{ REQUIRES {{ switch{n}.state != on }} COST {n % 3 + 4} EFFECT {{ switch{n}.state = on }} }}"""
        for n in range(switches)
    )
    rules = "".join(
        f" NEVER press{n} WHEN mains.state == down  DENY force{n} WHEN switch{n}.state == locked"
        for n in range(switches)
    )
    goals = " ".join(f"ACHIEVE switch{n}.state == on" for n in range(wanted))
    return f"""AGENT bench {{ {tools}
        POLICY {{ {rules} }}
        UTILITY {{ switch0.state == on VALUE 9  switch1.state == jammed VALUE -3 }}
        PLANNER {{ {goals} MAX_DEPTH {DEPTH} MAX_NODES {NODES} }} }}"""


def state(switches: int) -> Scope:
    scope = Scope()
    for path in [f"switch{n}.state" for n in range(switches)]:
        scope.world[path], scope.labels["world"][path] = Symbol("off"), frozenset({"OBSERVED"})
    scope.world["mains.state"] = Symbol("up")
    return scope


Tool = tuple[Callable[[World], bool], Callable[[World], bool], Callable[[World], Weighed], float]


def bare_tools(switches: int) -> list[Tool]:
    """Per tool: may it be used, is it prohibited, what comes of it, what it costs."""
    made: list[Tool] = []
    for n in range(switches):
        made.append((_is(n, OFF), _never, _ends(n, ((0.75, ON), (0.25, JAMMED))), n % 3 + 1))
        made.append((_is_not(n, ON), _never, _ends(n, ((1.0, ON),)), n % 3 + 4))
    return made


def _is(n: int, value: int) -> Callable[[World], bool]:
    return lambda world: world[n] == value


def _is_not(n: int, value: int) -> Callable[[World], bool]:
    return lambda world: world[n] != value


def _never(world: World) -> bool:
    return False


def _ends(n: int, ends: tuple[tuple[float, int], ...]) -> Callable[[World], Weighed]:
    return lambda world: tuple((share, (*world[:n], value, *world[n + 1 :])) for share, value in ends)


def bare_search(tools: list[Tool], switches: int, wanted: int) -> tuple[float, int]:
    """Best score and successors generated."""
    best, nodes, count = float("-inf"), 0, 0
    root: Weighed = ((1.0, (OFF,) * switches),)
    heap: list[tuple[float, int, int, float, Weighed]] = [(0.0, 0, 0, 0.0, root)]
    fronts: dict[frozenset[tuple[float, World]], list[tuple[float, int]]] = {}
    while heap:
        _, _, depth, cost, weighed = heappop(heap)
        if depth >= DEPTH:
            continue
        for usable, prohibited, ends, price in tools:
            if nodes >= NODES:
                break
            after = _apply(weighed, usable, prohibited, ends)
            if after is None:
                continue
            nodes += 1
            reached, firing = after
            spent = cost + price * firing
            front = fronts.setdefault(frozenset((round(chance, 12), world) for chance, world in reached), [])
            if any(other <= spent and steps <= depth + 1 for other, steps in front):
                continue
            front.append((spent, depth + 1))
            chances = [sum(chance for chance, world in reached if world[n] == ON) for n in range(wanted)]
            certain = sum(chance for chance, world in reached if all(world[n] == ON for n in range(wanted)))
            gain = sum(chance * (9 * (world[0] == ON) - 3 * (world[1] == JAMMED)) for chance, world in reached)
            if certain >= 1 - 1e-9:
                best = max(best, gain - spent)
            count += 1
            priority = round(spent - gain + sum(1 - chance for chance in chances), 12)
            heappush(heap, (priority, count, depth + 1, spent, reached))
    return best, nodes


def _apply(
    weighed: Weighed,
    usable: Callable[[World], bool],
    prohibited: Callable[[World], bool],
    ends: Callable[[World], Weighed],
) -> tuple[Weighed, float] | None:
    after: dict[World, float] = {}
    firing = 0.0
    for chance, world in weighed:
        if prohibited(world):
            return None
        if not usable(world):
            after[world] = after.get(world, 0.0) + chance
            continue
        firing += chance
        for share, end in ends(world):
            after[end] = after.get(end, 0.0) + chance * share
    if not firing:
        return None
    return tuple((chance, world) for world, chance in after.items()), firing


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(switches: int, wanted: int) -> tuple[PlanningResult, float, float]:
    """Return what was found and the seconds of a search (floor, agentl)."""
    agent = parse_source(program(switches, wanted)).agents[0]
    problem, policy, scope = PlannerProblem(agent, contracts_of(agent)), PolicyEngine(agent), state(switches)
    tools = bare_tools(switches)
    found = plan(problem, scope, policy)
    score, nodes = bare_search(tools, switches, wanted)
    assert (nodes, abs(found.score - score) < 1e-9) == (found.nodes, True), (nodes, score, found)
    times = [
        (seconds(lambda: bare_search(tools, switches, wanted)), seconds(lambda: plan(problem, scope, policy)))
        for _ in range(ROUNDS)
    ]
    return found, min(bare for bare, _ in times), min(ours for _, ours in times)


def main() -> Table:
    columns = ("switches", "tools", "successors", "floor ms", "agentl ms", "× floor", "successors a second")
    table = Table("Planning", columns)
    for switches, wanted in SIZES:
        found, bare, ours = measure(switches, wanted)
        ratio, rate = ours / bare, found.nodes / ours
        table.add(switches, 2 * switches, found.nodes, bare * 1e3, ours * 1e3, ratio, f"{rate:,.0f}")
    table.goal(f"{2 * switches} tools: within {RATIO} × the floor ({ratio:.1f})", ratio <= RATIO)
    table.goal(f"{2 * switches} tools: {RATE:,} successors a second ({rate:,.0f})", rate >= RATE)
    return table


if __name__ == "__main__":
    print(main().render())
