"""Probabilities and bits: clamping, weights of evidence, prior and shift to posterior (semantics.md §19)."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

LEAST = 1e-6  # no probability is computed with nearer to 0 or 1 than this
MOST_BITS = 60.0  # of log2 odds, either way


@dataclass(frozen=True, slots=True)
class Weight:
    """What one outcome of a test says: its likelihood ratio, and the same in bits. `strength` compares weights.

    `strength` is |bits| with 12 significant digits: 0.9 against 0.1 weighs as much as 0.1 against 0.9, whatever the
    last digit of a float says (decision 15).
    """

    ratio: float
    bits: float
    strength: float


def clamped(probability: float) -> float:
    """The probability as it is computed with: at least 1e-6 and at most 1 - 1e-6."""
    return min(max(probability, LEAST), 1 - LEAST)


def weigh(likelihood: float, given_not: float) -> Weight:
    """Weight of something seen with these two probabilities under the hypothesis and without it."""
    ratio = likelihood / given_not
    bits = log2(ratio)
    return Weight(ratio, bits, float(f"{abs(bits):.12g}"))


def weights(likelihood: float, given_not: float) -> tuple[Weight, Weight]:
    """Weights of a test that is true and of one that is false, from its LIKELIHOOD and GIVEN_NOT."""
    seen, otherwise = clamped(likelihood), clamped(given_not)
    return weigh(seen, otherwise), weigh(1 - seen, 1 - otherwise)


NOTHING_SAID = Weight(1.0, 0.0, 0.0)
"""Weight of a test that is undetermined."""


def capped(shift: float, most: float | None) -> float:
    """The shift in bits, kept within `most` either way; None for no cap."""
    return shift if most is None else max(-most, min(most, shift))


def shifted(prior: float, shift: float) -> float:
    """Posterior of a prior after evidence of `shift` bits; a shift of nothing gives the (clamped) prior itself."""
    start = clamped(prior)
    if not shift:
        return start
    bits = max(-MOST_BITS, min(MOST_BITS, log2(start / (1 - start)) + shift))
    odds: float = 2.0**bits
    return odds / (1 + odds)
