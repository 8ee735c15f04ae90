"""Spelling hints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentl.analysis.spelling import closest, did_you_mean

NAMES = st.lists(st.text("abcdeXYZ_", min_size=1, max_size=8), max_size=8)


def test_the_nearest_name_is_proposed_whatever_its_case() -> None:
    assert closest("refnd", ["send", "refund", "close"]) == "refund"
    assert closest("REFUND", ["refund"]) == "refund"
    assert closest("refnd", ["REFUND"]) == "REFUND"


def test_nothing_is_proposed_when_nothing_is_near() -> None:
    assert closest("open_valve", ["send", "refund"]) is None
    assert closest("x", []) is None
    assert did_you_mean("x", ["refund"]) is None


@given(st.text("abcdeXYZ_", max_size=8), NAMES)
def test_a_proposal_is_a_candidate_and_does_not_depend_on_their_order(name: str, candidates: list[str]) -> None:
    proposal = closest(name, candidates)
    assert proposal is None or proposal in candidates
    assert closest(name, reversed(candidates)) == proposal
