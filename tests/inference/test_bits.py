"""Clamping, weights and the way from a prior to a posterior."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentl.inference.bits import LEAST, clamped, shifted, weights

probabilities = st.floats(0, 1)
shifts = st.floats(-200, 200)


def test_certainty_is_never_computed_with() -> None:
    assert (clamped(0.0), clamped(1.0), clamped(0.5)) == (1e-6, 1 - 1e-6, 0.5)


def test_sixty_bits_are_the_most() -> None:
    assert shifted(0.5, 1e9) == shifted(0.5, 60)
    assert shifted(0.5, -1e9) == shifted(0.5, -60) == 1 / (1 + 2**60)


def test_one_against_one_says_nothing() -> None:
    true, false = weights(0.3, 0.3)
    assert (true.bits, false.bits) == (0, 0)


def test_mirrored_likelihoods_are_equally_strong() -> None:
    assert all(
        weights(p / 100, 1 - p / 100)[0].strength == weights(p / 100, 1 - p / 100)[1].strength for p in range(1, 100)
    )


@given(probabilities)
def test_no_shift_leaves_the_prior_as_it_is(prior: float) -> None:
    assert shifted(prior, 0.0) == min(max(prior, LEAST), 1 - LEAST)


@given(probabilities, shifts, shifts)
def test_more_bits_never_lower_the_posterior(prior: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert shifted(prior, low) <= shifted(prior, high) + 1e-12


@given(probabilities, shifts)
def test_posterior_is_a_probability(prior: float, shift: float) -> None:
    assert 0 < shifted(prior, shift) <= 1
