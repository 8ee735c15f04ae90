"""What holds for any hypothesis and any outcome of its tests."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.inference.inference import Inference
from agentl.inference.reachable import reachable_range
from agentl.ir.declarations import Evidence, Hypothesis
from agentl.ir.expressions import Comparison, Number, Path
from tests.inference.hypotheses import NO, YES, observed

# Two results of the same numbers taken another way agree in the digits that are ever written down (decision 15).
CLOSE = 1e-12

Outcomes = list[bool | None]

percents = st.integers(0, 100).map(lambda percent: Number.make(type="int", text=str(percent), unit="%"))


@dataclass(frozen=True)
class Case:
    hypothesis: Hypothesis
    outcomes: Outcomes

    def posterior(self, outcomes: Outcomes | None = None) -> Inference:
        seen = {
            item.test.left.path: YES if outcome else NO
            for item, outcome in zip(
                self.hypothesis.evidence, self.outcomes if outcomes is None else outcomes, strict=True
            )
            if outcome is not None and isinstance(item.test, Comparison) and isinstance(item.test.left, Path)
        }
        return infer(CompiledHypothesis(self.hypothesis), observed(seen))


@st.composite
def cases(draw: st.DrawFn, groups: bool = True) -> Case:
    count = draw(st.integers(0, 6))
    names = st.sampled_from([None, None, "g1", "g2"]) if groups else st.none()
    items = tuple(
        Evidence.make(
            test=Comparison.make(op="==", left=Path.make(path=f"seen.e{number}"), right=Path.make(path="yes")),
            likelihood=draw(percents),
            given_not=draw(percents),
            group=draw(names),
        )
        for number in range(count)
    )
    cap = draw(st.none() | st.integers(0, 8).map(lambda bits: Number.make(type="int", text=str(bits))))
    made = Hypothesis.make(name="h", prior=draw(percents), evidence=items, max_evidence=cap)
    return Case(made, draw(st.lists(st.sampled_from([True, False, None]), min_size=count, max_size=count)))


@given(cases())
def test_reachable_range_contains_every_posterior(case: Case) -> None:
    low, high = reachable_range(case.hypothesis)
    found = case.posterior()
    assert low - CLOSE <= found.posterior <= high + CLOSE
    assert found.reachable == (low, high)


@given(cases())
def test_both_ends_of_the_reachable_range_are_reached(case: Case) -> None:
    evidence = case.hypothesis.evidence

    def towards(sign: int) -> float:
        """The posterior when only the item that moves each group furthest has an outcome."""
        furthest: dict[str, tuple[float, int, bool]] = {}
        for number, item in enumerate(evidence):
            for outcome in (True, False):
                alone: Outcomes = [outcome if other == number else None for other in range(len(evidence))]
                bits = sign * case.posterior(alone).contributions[number].bits
                group = item.group or f"alone {number}"
                if bits > furthest.get(group, (0.0, 0, True))[0]:
                    furthest[group] = (bits, number, outcome)
        chosen = {number: outcome for _, number, outcome in furthest.values()}
        return case.posterior([chosen.get(number) for number in range(len(evidence))]).posterior

    low, high = reachable_range(case.hypothesis)
    assert abs(towards(-1) - low) <= CLOSE
    assert abs(towards(1) - high) <= CLOSE


@given(cases(groups=False), st.data())
def test_evidence_for_never_lowers_and_evidence_against_never_raises(case: Case, data: st.DataObject) -> None:
    """Outside groups: one more determined item moves the posterior its own way."""
    found = case.posterior()
    for number, item in enumerate(found.contributions):
        if item.outcome is None:
            continue
        without = [None if other == number else outcome for other, outcome in enumerate(case.outcomes)]
        before = case.posterior(without).posterior
        assert found.posterior >= before - CLOSE if item.bits >= 0 else found.posterior <= before + CLOSE


@given(cases())
def test_group_counts_exactly_its_strongest_item(case: Case) -> None:
    found = case.posterior()
    for name in ("g1", "g2"):
        group = [item for item in found.contributions if item.group == name and item.outcome is not None]
        if not group:
            continue
        counting = [item for item in group if item.absorbed_by is None]
        assert len(counting) == 1
        assert all(abs(counting[0].bits) >= abs(item.bits) - CLOSE for item in group)
        assert all(
            found.contributions[item.absorbed_by] is counting[0] for item in group if item.absorbed_by is not None
        )
        assert all(item.counted == 0 for item in group if item is not counting[0])


@given(cases())
def test_stronger_evidence_for_in_a_group_never_lowers_the_posterior(case: Case) -> None:
    """In a group of items that all point one way, determining one more cannot move the posterior the other way."""
    found = case.posterior()
    for number, item in enumerate(found.contributions):
        group = [other for other in found.contributions if other.group == item.group and other.outcome is not None]
        if item.outcome is None or item.group is None or any(other.bits < 0 for other in group):
            continue
        without = [None if other == number else outcome for other, outcome in enumerate(case.outcomes)]
        assert found.posterior >= case.posterior(without).posterior - CLOSE


@given(cases(), st.randoms(use_true_random=False))
def test_order_across_groups_does_not_matter(case: Case, chance: random.Random) -> None:
    """Groups may come in any order, and what stands between them too; only inside a group the first wins a tie."""
    pairs = list(zip(case.hypothesis.evidence, case.outcomes, strict=True))
    places = {name: number for number, name in enumerate(chance.sample(["g1", "g2", ""], 3))}
    pairs.sort(key=lambda pair: places[pair[0].group or ""])
    fields = {**case.hypothesis.__dict__, "evidence": tuple(item for item, _ in pairs)}
    other = Case(Hypothesis.make(**fields), [outcome for _, outcome in pairs]).posterior()
    found = case.posterior()
    assert (other.posterior, other.bits, other.naive) == (found.posterior, found.bits, found.naive)


@given(cases())
def test_shift_stays_within_the_cap_and_says_when_it_was_capped(case: Case) -> None:
    found = case.posterior()
    whole = sum(item.counted for item in found.contributions)
    if case.hypothesis.max_evidence is None:
        assert not found.capped
        return
    cap = case.hypothesis.max_evidence.value
    assert abs(found.bits) <= cap
    assert found.capped is (abs(found.bits - whole) > 0 and abs(whole) > cap)
