"""Evidence: what is undetermined, what a group counts, what a cap does, and where a posterior comes from."""

from __future__ import annotations

import math

import pytest

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.inference.inference import best
from agentl.logic.scope import Belief
from agentl.values import Symbol
from tests.inference.hypotheses import NO, YES, hypothesis, inferred, observed


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ("a.b == 1", True),
        ("a.b == 2", False),
        ("c.d == 1", None),
        ("NOT c.d == 1", None),
        ("c.d", None),
        ("a.b == 1 OR c.d == 1", True),  # short circuit: the unknown part is never evaluated
        ("c.d == 1 OR a.b == 1", None),
        ("a.b == 2 AND c.d == 1", False),
        ("a.b IN [1, c.d]", None),
        ("word > 3", None),
        ("nobody == 1", False),  # a bare name nothing defines is a symbol
        ("CONFIDENCE(c.d) > 0.5", None),
        ("CONFIDENCE(q.r) > 0.5", True),
        ("P(other) > 0.5", None),
        ("word + 1 > 2", None),
        ("nofunction(1)", None),
        ("UNTRUSTED(a.b)", False),
        ("NOT UNTRUSTED(a.b)", True),
        ("NOT UNTRUSTED(c.d)", None),
        ("NOT ATTESTED(c.d)", None),
        ("a.b == 1 OR UNTRUSTED(c.d)", True),
    ],
)
def test_evidence_is_true_false_or_undetermined(test: str, outcome: bool | None) -> None:
    scope = observed({"a.b": 1, "word": Symbol("x")})
    scope.beliefs["q.r"] = Belief(1, 0.9)
    found = infer(CompiledHypothesis(hypothesis(f"EVIDENCE {{ {test} }}")), scope)
    assert found.contributions[0].outcome is outcome


def test_undetermined_evidence_moves_nothing() -> None:
    found = inferred("PRIOR 0.3 EVIDENCE { c.d == 1 LIKELIHOOD 0.99 GIVEN_NOT 0.01 }")
    assert (found.posterior, found.bits, found.contributions[0].ratio) == (0.3, 0.0, 1.0)


def test_no_evidence_leaves_the_prior() -> None:
    found = inferred("PRIOR 0.3 THRESHOLD 0.3")
    assert (found.posterior, found.supported, found.reachable) == (0.3, True, (0.3, 0.3))


def test_defaults_are_those_of_the_reference() -> None:
    found = inferred("EVIDENCE { a == 1 }", {"a": 1})
    assert (found.prior, found.threshold) == (0.10, 0.90)
    assert math.isclose(found.contributions[0].ratio, 9)
    assert math.isclose(found.posterior, 0.5)


def test_predict_is_evidence_with_default_likelihoods() -> None:
    assert inferred("PREDICT a == 1", {"a": 1}).contributions == inferred("EVIDENCE { a == 1 }", {"a": 1}).contributions


def test_strongest_of_a_group_counts_whichever_way_it_points() -> None:
    group = "EVIDENCE { GROUP g { a == yes LIKELIHOOD 0.6 GIVEN_NOT 0.4 b == yes LIKELIHOOD 0.9 GIVEN_NOT 0.1 } }"
    found = inferred(group, {"a": YES, "b": NO})
    assert [item.absorbed_by for item in found.contributions] == [1, None]
    assert found.bits == found.contributions[1].bits < 0


def test_first_of_two_equally_strong_ones_counts() -> None:
    # The two weigh the same, but as floats 0.1 / 0.9 and (1 - 0.9) / (1 - 0.1) differ in the last digit.
    group = "EVIDENCE { GROUP g { a == yes b == yes } }"
    assert inferred(group, {"a": YES, "b": NO}).bits > 0
    assert inferred(group, {"a": NO, "b": YES}).bits < 0


def test_undetermined_item_neither_counts_nor_absorbs() -> None:
    found = inferred("EVIDENCE { GROUP g { c.d == 1 LIKELIHOOD 0.99 GIVEN_NOT 0.01 b == yes } }", {"b": YES})
    assert [(item.counted != 0, item.absorbed_by) for item in found.contributions] == [(False, None), (True, None)]


def test_group_in_two_places_is_one_group() -> None:
    body = "EVIDENCE { GROUP g { a == yes } b == yes } EVIDENCE { GROUP g { c == yes } }"
    found = inferred(body, {"a": YES, "b": YES, "c": YES})
    assert [item.absorbed_by for item in found.contributions] == [None, None, 0]


@pytest.mark.parametrize(("cap", "bits", "capped"), [(2, 2, True), (0, 0, True), (50, 3.169925001442312, False)])
def test_cap_bounds_the_shift(cap: int, bits: float, capped: bool) -> None:
    found = inferred(f"EVIDENCE {{ a == 1 }} MAX_EVIDENCE {cap}", {"a": 1})
    assert (found.capped, math.isclose(found.bits, bits)) == (capped, True)


def test_cap_bounds_the_shift_down_too() -> None:
    found = inferred("EVIDENCE { a == 1 } MAX_EVIDENCE 2", {"a": 2})
    assert (found.bits, found.capped) == (-2, True)


def test_support_starts_at_the_threshold_itself() -> None:
    assert inferred("PRIOR 0.5 THRESHOLD 0.5").supported
    assert not inferred("PRIOR 0.5 THRESHOLD 50.0000001%").supported


def test_explains_needs_support() -> None:
    assert inferred("PRIOR 0.5 THRESHOLD 0.6 EXPLAINS a.b").explained is None


def test_explained_value_has_its_own_sources_beside_those_of_the_evidence() -> None:
    found = inferred("PRIOR 0.5 THRESHOLD 0.05 EVIDENCE { 1 == 2 } EXPLAINS a.b = seen.kind", {"seen.kind": 7})
    assert found.explained is not None
    assert (found.explained.value, found.explained.label) == (7, {"OBSERVED", "INFERRED", "DECLARED"})


def test_explained_value_that_cannot_be_evaluated_is_a_fault() -> None:
    found = inferred("PRIOR 0.5 THRESHOLD 0.1 EXPLAINS a.b = word + 1")
    assert (found.explained, found.faults) == (None, (("word + 1", "the symbol word is not a number"),))


def test_posterior_comes_from_every_test_also_those_that_did_not_count() -> None:
    scope = observed({"a.b": 1})
    scope.untrusted["m"] = 1
    scope.labels["untrusted"]["m"] = frozenset({"MESSAGE"})
    body = "EVIDENCE { GROUP g { a.b == 1 LIKELIHOOD 0.99 GIVEN_NOT 0.01 m == 1 } }"
    assert infer(CompiledHypothesis(hypothesis(body)), scope).label == {"INFERRED", "OBSERVED", "MESSAGE", "DECLARED"}


def test_hypothesis_can_read_the_posterior_of_another() -> None:
    found = inferred("EVIDENCE { P(other) > 0.5 }", {"other.posterior": 0.7})
    assert found.contributions[0].outcome is True


def test_inferring_changes_nothing() -> None:
    scope = observed({"a": 1})
    before = (dict(scope.world), dict(scope.locals), dict(scope.beliefs))
    compiled = CompiledHypothesis(hypothesis("PRIOR 0.5 THRESHOLD 0.1 EVIDENCE { a == 1 } EXPLAINS a.b"))
    assert infer(compiled, scope) == infer(compiled, scope)
    assert (scope.world, scope.locals, scope.beliefs) == before


def test_best_is_the_first_of_the_highest() -> None:
    low, one, other = inferred("PRIOR 0.2"), inferred("PRIOR 0.6"), inferred("PRIOR 0.6 THRESHOLD 0.1")
    assert best([low, one, other]) is one
    assert best([]) is None
