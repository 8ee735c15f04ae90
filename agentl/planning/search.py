"""plan: the search over distributions of states, best first (semantics.md §20). Pure and the same in every process."""

from __future__ import annotations

from math import fsum

from agentl.kernel.gate import Decider
from agentl.logic.scope import RUNTIME, Scope
from agentl.planning.branches import Branch, Branches, merged, rounded, same_values
from agentl.planning.frontier import Frontier, Route, route_to
from agentl.planning.moves import Move, Moves
from agentl.planning.problem import Operator, PlannerProblem
from agentl.planning.result import Excluded, PlannedStep, PlanningResult
from agentl.values import Label

# How much a sum of probabilities or durations may miss a bound through rounding alone (as for goals, semantics.md §9).
TOLERANCE = 1e-9


def plan(
    problem: PlannerProblem,
    scope: Scope,
    decider: Decider,
    *,
    confidence: float = 1.0,
    control: Label = RUNTIME,
) -> PlanningResult:
    """Return the best sequence of calls that reaches the goals from the state in `scope`.

    `decider` judges every call in every branch, with the labels of what is bound and the attestations of the scope.
    `confidence` is what guards read as `action.confidence`; `control` is the label of the decision to plan, part of
    every argument's. The scope is read, never changed. Nothing is raised but a KernelAbort of the decider.
    """
    branches = Branches(problem, scope)
    if all(branches.root.met):
        satisfied = bool(problem.goals)
        return PlanningResult(probability=1.0, satisfied=satisfied, faults=tuple(branches.faults))
    return _Search(problem, branches, Moves(branches, decider, confidence, control)).run()


class _Search:
    """One search: the frontier, the best plan so far, and what was excluded."""

    def __init__(self, problem: PlannerProblem, branches: Branches, moves: Moves) -> None:
        self._problem = problem
        self._branches = branches
        self._moves = moves
        self._frontier = Frontier()
        self._excluded: dict[tuple[str, str, str | None], Excluded] = {}
        self._best: Route | None = None
        self._nodes = 0
        self._cut_off = False

    def run(self) -> PlanningResult:
        root = route_to(((1.0, self._branches.root),))
        self._frontier.is_new(root)
        self._frontier.push(root)
        while self._frontier:
            route = self._frontier.pop()
            if route.depth >= self._problem.max_depth or not self._expand(route):
                self._cut_off = True
        return self._result()

    def _expand(self, route: Route) -> bool:
        """Generate what each operator makes of a route, in declaration order; False when MAX_NODES stopped it."""
        for operator in self._problem.operators:
            if self._nodes >= self._problem.max_nodes:
                return False
            successor = self._successor(route, operator)
            if successor is None:
                continue
            self._nodes += 1
            if self._frontier.is_new(successor):
                self._frontier.push(successor)
                if self._is_better(successor):
                    self._best = successor
        return True

    def _successor(self, route: Route, operator: Operator) -> Route | None:
        """The route with one step more; None when the operator is barred, too long, or changes nothing."""
        parts: list[tuple[float, Branch]] = []
        firing: list[tuple[float, Move]] = []
        for probability, branch in route.distribution:
            considered = self._moves.considered(operator, branch)
            if isinstance(considered, Move):
                firing.append((probability, considered))
                parts.extend((probability * share, end) for share, end in considered.ends)
                continue
            self._exclude(considered.excluded)
            if considered.everywhere:
                return None
            parts.append((probability, branch))
        if not firing or self._is_too_long(route, operator):
            return None
        distribution = merged(parts)
        if same_values(distribution, route.distribution):
            return None
        step = self._step(operator, firing)
        cost, duration = route.cost + step.cost * step.firing, route.duration + step.duration
        return route_to(distribution, route, step, cost=cost, duration=duration)

    def _step(self, operator: Operator, firing: list[tuple[float, Move]]) -> PlannedStep:
        _, likeliest = max(firing, key=lambda branch: rounded(branch[0]))
        approval = any(move.approval for _, move in firing)
        return PlannedStep(
            tool=operator.name,
            args=likeliest.args,
            labels=likeliest.labels,
            firing=fsum(probability for probability, _ in firing),
            cost=operator.cost + (self._problem.approval_cost if approval else 0.0),
            duration=operator.duration,
            approval=approval,
        )

    def _is_too_long(self, route: Route, operator: Operator) -> bool:
        deadline = self._problem.deadline
        if deadline is None or route.duration + operator.duration <= deadline + TOLERANCE:
            return False
        self._exclude(Excluded(operator.name, "deadline", f"the plan would take longer than {deadline:g} s"))
        return True

    def _exclude(self, excluded: Excluded | None) -> None:
        if excluded is not None:
            self._excluded.setdefault((excluded.tool, excluded.stage, excluded.rule), excluded)

    def _is_better(self, route: Route) -> bool:
        """Whether a route is a plan that beats the best: a full one before a partial one, then by score."""
        if rounded(route.probability) <= 0:
            return False
        best = self._best
        if best is None:
            return True
        full, was_full = self._is_full(route), self._is_full(best)
        return route.score > best.score if full == was_full else full

    def _is_full(self, route: Route) -> bool:
        return route.probability >= self._problem.target_confidence - TOLERANCE

    def _result(self) -> PlanningResult:
        excluded, faults = tuple(self._excluded.values()), tuple(self._branches.faults)
        best = self._best
        if best is None:
            return PlanningResult(
                exhausted=True, cut_off=self._cut_off, excluded=excluded, nodes=self._nodes, faults=faults
            )
        return PlanningResult(
            steps=best.steps,
            probability=best.probability,
            cost=best.cost,
            duration=best.duration,
            utility=best.utility,
            score=best.utility - best.cost,
            partial=not self._is_full(best),
            cut_off=self._cut_off,
            excluded=excluded,
            nodes=self._nodes,
            faults=faults,
        )
