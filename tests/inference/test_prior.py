"""PRIOR FROM: what is counted, what WHERE sees, and where the prior comes from."""

from __future__ import annotations

import pytest

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.inference.inference import Inference
from agentl.values import UNDEFINED, Symbol
from tests.inference.hypotheses import MEMORY, NO, OBSERVED, YES, hypothesis, inferred, observed, remembering

BODY = "PRIOR 0.3 PRIOR FROM LONG_TERM.cases WHERE bad == yes"


def measured(records: list[object], body: str = BODY, bucket: str = "LONG_TERM", key: str = "cases") -> Inference:
    scope = remembering(observed({"limit": 5}), key, records, bucket)
    return infer(CompiledHypothesis(hypothesis(body)), scope)


def test_no_record_leaves_the_declared_prior() -> None:
    assert measured([]).prior == 0.3
    assert inferred(BODY).prior == 0.3


def test_prior_without_a_number_is_a_tenth() -> None:
    assert inferred("").prior == 0.10


@pytest.mark.parametrize(("bad", "good", "prior"), [(0, 1, 0.25), (1, 0, 0.75), (3, 8, 3.5 / 12), (0, 999, 0.0005)])
def test_prior_is_smoothed(bad: int, good: int, prior: float) -> None:
    assert measured([{"bad": YES}] * bad + [{"bad": NO}] * good).prior == prior


def test_record_that_is_no_dict_counts_in_n_only() -> None:
    assert measured([{"bad": YES}, "yes", 7]).prior == 1.5 / 4


def test_without_where_every_dict_counts() -> None:
    assert measured([{"a": 1}, {}, 3], "PRIOR FROM LONG_TERM.cases").prior == 2.5 / 4


def test_key_is_records_when_only_a_bucket_is_named() -> None:
    assert measured([{}], "PRIOR FROM KNOWLEDGE", "KNOWLEDGE", "records").prior == 0.75


def test_shared_records_can_be_measured() -> None:
    scope = observed({})
    scope.shared.write("cases", {"bad": YES})
    found = infer(CompiledHypothesis(hypothesis("PRIOR FROM SHARED.cases WHERE bad == yes")), scope)
    assert (found.prior, found.label) == (0.75, {"SHARED", "INFERRED", "DECLARED"})


def test_where_reads_the_state_beside_the_record() -> None:
    body = "PRIOR FROM LONG_TERM.cases WHERE amount > limit"
    assert measured([{"amount": 9}, {"amount": 4}, {"amount": 5}], body).prior == 1.5 / 4


def test_field_of_a_record_masks_the_state() -> None:
    body = "PRIOR FROM LONG_TERM.cases WHERE limit == 9"
    assert measured([{"limit": 9}, {"limit": 1}, {}], body).prior == 1.5 / 4


def test_where_that_cannot_be_evaluated_counts_as_false_and_is_told_once() -> None:
    found = measured([{"n": Symbol("x")}, {"n": Symbol("x")}, {"n": 2}], "PRIOR FROM LONG_TERM.cases WHERE n + 1 > 2")
    assert found.prior == 1.5 / 4
    assert found.faults == (("n + 1 > 2", "the symbol x is not a number"),)


def test_given_records_come_before_remembered_ones() -> None:
    scope = remembering(observed({}), "cases", [{"bad": NO}] * 9)
    assert infer(CompiledHypothesis(hypothesis(BODY)), scope, [{"bad": YES}]).prior == 0.75


def test_measured_prior_has_the_sources_of_its_records() -> None:
    found = measured([{"bad": YES}])
    assert found.label == MEMORY | {"INFERRED", "DECLARED"}
    assert measured([]).label == {"INFERRED"}


def test_where_adds_what_it_reads_beside_the_records() -> None:
    found = measured([{"amount": 9, "gone": UNDEFINED}], "PRIOR FROM LONG_TERM.cases WHERE amount > limit")
    assert found.label == MEMORY | OBSERVED | {"INFERRED"}


def test_measured_prior_of_one_is_told_as_it_is_and_clamped_for_computing() -> None:
    found = inferred("PRIOR 1")
    assert (found.prior, found.posterior) == (1, 1 - 1e-6)
