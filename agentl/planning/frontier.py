"""The frontier of a search: routes still to be followed, best first, and which of them are worth following."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from math import fsum

from agentl.planning.branches import Distribution, identity, rounded
from agentl.planning.result import PlannedStep


@dataclass(frozen=True, slots=True)
class Route:
    """A sequence of steps as a chain, and where it leads.

    `probability` is that of all goals holding at the end, `lacking` the sum over the goals of 1 - P(goal), `utility`
    the expected one.
    """

    distribution: Distribution
    before: Route | None = None
    step: PlannedStep | None = None
    depth: int = 0
    cost: float = 0.0
    duration: float = 0.0
    probability: float = 0.0
    lacking: float = 0.0
    utility: float = 0.0

    @property
    def score(self) -> float:
        """What a plan is judged by: expected utility less cost."""
        return rounded(self.utility - self.cost)

    @property
    def steps(self) -> tuple[PlannedStep, ...]:
        steps: list[PlannedStep] = []
        route: Route | None = self
        while route is not None and route.step is not None:
            steps.append(route.step)
            route = route.before
        return tuple(reversed(steps))


def route_to(
    distribution: Distribution,
    before: Route | None = None,
    step: PlannedStep | None = None,
    *,
    cost: float = 0.0,
    duration: float = 0.0,
) -> Route:
    """Build the route that reaches a distribution, with its worth; `cost` and `duration` are those of all its steps."""
    goals = range(len(distribution[0][1].met))
    reached = [fsum(probability for probability, branch in distribution if branch.met[goal]) for goal in goals]
    return Route(
        distribution,
        before,
        step,
        0 if before is None else before.depth + 1,
        cost,
        duration,
        probability=fsum(probability for probability, branch in distribution if all(branch.met)),
        lacking=fsum(1 - probability for probability in reached),
        utility=fsum(probability * branch.utility for probability, branch in distribution),
    )


class Frontier:
    """Routes by cost - E[U] + what the goals lack, lowest first, the earlier found on a tie."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Route]] = []
        self._fronts: dict[frozenset[tuple[float, int]], list[tuple[float, float, int]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, route: Route) -> None:
        self._count += 1
        priority = rounded(route.cost - route.utility + route.lacking)
        heappush(self._heap, (priority, self._count, route))

    def pop(self) -> Route:
        return heappop(self._heap)[2]

    def is_new(self, route: Route) -> bool:
        """Keep a route on the Pareto front of what it reaches; False when a kept one is no worse in every respect.

        Respects are cost, duration and, beside them, the number of steps: a cheaper but longer route must not take away
        the steps that MAX_DEPTH leaves to a shorter one, or a reachable goal could count as unreachable.
        """
        front = self._fronts.setdefault(identity(route.distribution), [])
        if any(
            cost <= route.cost and duration <= route.duration and depth <= route.depth
            for cost, duration, depth in front
        ):
            return False
        front.append((route.cost, route.duration, route.depth))
        return True
