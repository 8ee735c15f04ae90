"""One inference over many evidence items, against the bare loop: closures over a dict of facts and a sum of bits.

The bare loop is what a careful person would write for one hypothesis: a test and two weights an item, the strongest of
each group, a cap, and a posterior, over a flat dict, without the order of stores, outcomes, texts, labels or ranges.
The tests alone are the compiled tests of the hypothesis on the real state: what any inference has to do. All answer in
the same states, alternately, and must agree. Times are of the processor, the best of all rounds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, log2

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.ir.declarations import Evidence, Hypothesis
from agentl.ir.expressions import Comparison, Number, Path
from agentl.logic.scope import Belief, Scope
from benchmarks.table import Table

SIZES = (10, 100, 1_000)
RATIO, MILLISECONDS = 3, 5  # goals with the most evidence: times the tests alone, and for one inference
ROUNDS, STATES = 21, 10
CAP = 8.0

Facts = dict[str, float]


@dataclass(frozen=True)
class Item:
    path: str
    limit: int
    likelihood: float
    given_not: float
    group: str | None


def make_items(size: int) -> list[Item]:
    """Comparisons of observed numbers; a third of them in groups of about five."""
    chance = random.Random(size)
    return [
        Item(
            f"sensor{number % 97}.value{number}",
            chance.randint(10, 90),
            chance.randint(5, 95) / 100,
            chance.randint(5, 95) / 100,
            f"group{number // 15}" if number % 3 == 0 else None,
        )
        for number in range(size)
    ]


def make_facts(items: list[Item], seed: int) -> Facts:
    """One fact in twenty is unknown."""
    chance = random.Random(seed)
    return {item.path: chance.randint(0, 100) for item in items if chance.random() >= 0.05}


def floor(items: list[Item], prior: float) -> Callable[[Facts], float]:
    """The bare loop."""
    tests = [
        (
            _above(item.path, item.limit),
            log2(item.likelihood / item.given_not),
            log2((1 - item.likelihood) / (1 - item.given_not)),
            item.group,
        )
        for item in items
    ]
    start = log2(prior / (1 - prior))

    def posterior(facts: Facts) -> float:
        strongest: dict[str, float] = {}
        counted = []
        for test, if_true, if_false, group in tests:
            outcome = test(facts)
            if outcome is None:
                continue
            bits = if_true if outcome else if_false
            if group is None:
                counted.append(bits)
            elif abs(bits) > abs(strongest.get(group, 0.0)):
                strongest[group] = bits
        shift = fsum([*counted, *strongest.values()])
        odds: float = 2.0 ** (start + max(-CAP, min(CAP, shift)))
        return odds / (1 + odds)

    return posterior


def _above(path: str, limit: int) -> Callable[[Facts], bool | None]:
    def above(facts: Facts) -> bool | None:
        value = facts.get(path)
        return None if value is None else value > limit

    return above


def to_hypothesis(items: list[Item], prior: float) -> Hypothesis:
    evidence = tuple(
        Evidence.make(
            test=Comparison.make(
                op=">", left=Path.make(path=item.path), right=Number.make(type="int", text=str(item.limit))
            ),
            likelihood=Number.make(type="float", text=repr(item.likelihood)),
            given_not=Number.make(type="float", text=repr(item.given_not)),
            group=item.group,
        )
        for item in items
    )
    return Hypothesis.make(
        name="bench",
        prior=Number.make(type="float", text=repr(prior)),
        evidence=evidence,
        max_evidence=Number.make(type="float", text=repr(CAP)),
    )


def to_scope(facts: Facts) -> Scope:
    """Every fact observed and believed, as after UPDATE_BELIEFS."""
    scope = Scope()
    observed = frozenset({"OBSERVED"})
    for path, value in facts.items():
        scope.world[path] = value
        scope.beliefs[path] = Belief(value, 0.95, "observation")
        scope.labels["world"][path] = scope.labels["beliefs"][path] = observed
    return scope


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@dataclass(frozen=True)
class Times:
    """Milliseconds: of an inference by the bare loop, of its tests alone, by agentl; and of compiling."""

    bare: float
    tests: float
    ours: float
    load: float


def measure(size: int) -> Times:
    items, prior = make_items(size), 0.2
    bare, hypothesis = floor(items, prior), to_hypothesis(items, prior)
    compiled = CompiledHypothesis(hypothesis)
    states = [(facts, to_scope(facts)) for facts in (make_facts(items, seed) for seed in range(STATES))]
    for facts, scope in states:
        assert abs(bare(facts) - infer(compiled, scope).posterior) < 1e-9
    work: list[Callable[[], object]] = [
        lambda: [bare(facts) for facts, _ in states],
        lambda: [[item.test(scope) for item in compiled.items] for _, scope in states],
        lambda: [infer(compiled, scope) for _, scope in states],
        lambda: CompiledHypothesis(hypothesis),
    ]
    rounds = [[seconds(each) for each in work] for _ in range(ROUNDS)]
    best = [min(times) * 1e3 for times in zip(*rounds, strict=True)]
    return Times(best[0] / STATES, best[1] / STATES, best[2] / STATES, best[3])


def main() -> Table:
    columns = (
        "evidence items",
        "bare ms",
        "tests ms",
        "agentl ms",
        "× bare",
        "× tests",
        "items a second",
        "compile ms",
    )
    table = Table("Inference", columns)
    for size in SIZES:
        found = measure(size)
        ratio = found.ours / found.tests
        shown = [f"{time:.3f}" for time in (found.bare, found.tests, found.ours)]
        table.add(size, *shown, found.ours / found.bare, ratio, f"{size / found.ours * 1e3:,.0f}", found.load)
    table.goal(f"{size:,} items: within {RATIO} × their tests alone ({ratio:.1f})", ratio <= RATIO)
    table.goal(f"{size:,} items: within {MILLISECONDS} ms ({found.ours:.2f})", found.ours <= MILLISECONDS)
    return table


if __name__ == "__main__":
    print(main().render())
