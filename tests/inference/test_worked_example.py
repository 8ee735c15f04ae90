"""The worked example of semantics.md §19.1, to the last digit shown there."""

from __future__ import annotations

import pytest

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.inference.inference import Inference
from agentl.inference.reachable import reachable_range
from agentl.values import Symbol
from tests.inference.hypotheses import YES, hypothesis, inferred, observed

EVIDENCE = """
    EVIDENCE {
        GROUP money_trail {
            orders.refunds_30d > 4      LIKELIHOOD 0.80 GIVEN_NOT 0.10
            account.chargebacks > 0     LIKELIHOOD 0.55 GIVEN_NOT 0.11
        }
        parcel.scan == missing          LIKELIHOOD 0.40 GIVEN_NOT 0.25
        device.shared == yes            LIKELIHOOD 0.70 GIVEN_NOT 0.14
        account.age_days < 30           LIKELIHOOD 0.30 GIVEN_NOT 0.60
    }
"""
BODY = f"PRIOR 0.08 {EVIDENCE} MAX_EVIDENCE 4 THRESHOLD 0.55 EXPLAINS claim.kind"
FACTS = {"orders.refunds_30d": 6, "account.chargebacks": 1, "device.shared": YES, "account.age_days": 400}


@pytest.fixture(name="found")
def _found() -> Inference:
    return infer(CompiledHypothesis(hypothesis(BODY, "refund_abuse")), observed(FACTS))


@pytest.mark.parametrize(
    ("index", "outcome", "ratio", "bits", "counted", "absorbed_by"),
    [
        (0, True, "8", "+3.000", "+3.000", None),
        (1, True, "5", "+2.322", "+0.000", 0),
        (2, None, "1", "+0.000", "+0.000", None),
        (3, True, "5", "+2.322", "+2.322", None),
        (4, False, "1.75", "+0.807", "+0.807", None),
    ],
)
def test_each_item_weighs_what_the_table_says(
    found: Inference,
    index: int,
    outcome: bool | None,
    ratio: str,
    bits: str,
    counted: str,
    absorbed_by: int | None,
) -> None:
    item = found.contributions[index]
    assert (item.outcome, f"{item.ratio:.12g}", f"{item.bits:+.3f}", f"{item.counted:+.3f}", item.absorbed_by) == (
        outcome,
        ratio,
        bits,
        counted,
        absorbed_by,
    )


def test_posterior_is_capped_at_four_bits(found: Inference) -> None:
    assert (found.prior, found.bits, found.capped) == (0.08, 4.0, True)
    assert f"{found.posterior:.3f}" == "0.582"
    assert found.supported


def test_explained_belief_is_the_name_of_the_hypothesis(found: Inference) -> None:
    assert found.explained is not None
    assert (found.explained.path, found.explained.value) == ("claim.kind", Symbol("refund_abuse"))
    assert isinstance(found.explained.value, Symbol)


def test_without_the_cap_the_posterior_is_higher() -> None:
    found = inferred(f"PRIOR 0.08 {EVIDENCE}", FACTS)
    assert (f"{found.bits:.3f}", f"{found.posterior:.3f}", found.capped) == ("6.129", "0.859", False)


def test_naive_posterior_knows_neither_group_nor_cap(found: Inference) -> None:
    assert f"{sum(item.bits for item in found.contributions):.3f}" == "8.451"
    assert f"{found.naive:.3f}" == "0.968"


def test_reachable_range_is_that_of_the_page(found: Inference) -> None:
    low, high = reachable_range(hypothesis(BODY))
    assert (f"{low:.4f}", f"{high:.3f}") == ("0.0054", "0.582")
    assert found.reachable == (low, high)


def test_prior_from_eleven_records_of_which_three_match() -> None:
    records = [{"kind": Symbol("abuse")}] * 3 + [{"kind": Symbol("honest")}] * 8
    found = inferred(f"{BODY} PRIOR FROM LONG_TERM.claims WHERE kind == abuse", FACTS, records)
    assert f"{found.prior:.3f}" == "0.292"


def test_facts_are_published_under_both_places(found: Inference) -> None:
    facts = {"prior": 0.08, "posterior": found.posterior, "supported": True, "bits": 4.0, "capped": True}
    assert found.published() == {
        f"{place}.{fact}": value
        for place in ("refund_abuse", "hypothesis.refund_abuse")
        for fact, value in facts.items()
    }
