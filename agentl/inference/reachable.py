"""Reachable range: between which posteriors a hypothesis can end, whatever its evidence says (diagnostics.md §5.3)."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from agentl.inference.bits import capped, shifted, weights
from agentl.ir.declarations import Evidence, Hypothesis

PRIOR = 0.10
THRESHOLD = 0.90
LIKELIHOOD = 0.90
GIVEN_NOT = 0.10


def reachable_range(hypothesis: Hypothesis) -> tuple[float, float]:
    """Return the lowest and the highest posterior of a hypothesis with its declared prior.

    PRIOR FROM is not considered: a measured prior can come near 0 or 1, and the posterior with it.
    """
    low, high = reachable_shift(hypothesis)
    prior = declared_prior(hypothesis)
    return shifted(prior, low), shifted(prior, high)


def reachable_shift(hypothesis: Hypothesis) -> tuple[float, float]:
    """Return the furthest that evidence can move the log2 odds down and up, in bits, capped by MAX_EVIDENCE."""
    ends = [_ends(items) for items in _by_group(hypothesis.evidence)]
    cap = max_evidence(hypothesis)
    return capped(fsum(low for low, _ in ends), cap), capped(fsum(high for _, high in ends), cap)


def declared_prior(hypothesis: Hypothesis) -> float:
    """PRIOR as written, 0.10 without one."""
    return PRIOR if hypothesis.prior is None else float(hypothesis.prior.value)


def max_evidence(hypothesis: Hypothesis) -> float | None:
    """The cap of MAX_EVIDENCE in bits, None without one."""
    return None if hypothesis.max_evidence is None else abs(float(hypothesis.max_evidence.value))


def likelihoods(item: Evidence) -> tuple[float, float]:
    """LIKELIHOOD and GIVEN_NOT of an item, 0.90 and 0.10 where they are not written."""
    likelihood = LIKELIHOOD if item.likelihood is None else float(item.likelihood.value)
    given_not = GIVEN_NOT if item.given_not is None else float(item.given_not.value)
    return likelihood, given_not


def _by_group(evidence: Iterable[Evidence]) -> list[list[Evidence]]:
    """The items of each group together; an item outside any group is alone."""
    grouped: dict[str, list[Evidence]] = {}
    parts: list[list[Evidence]] = []
    for item in evidence:
        if item.group is not None and item.group in grouped:
            grouped[item.group].append(item)
            continue
        part = [item]
        parts.append(part)
        if item.group is not None:
            grouped[item.group] = part
    return parts


def _ends(items: list[Evidence]) -> tuple[float, float]:
    """The furthest down and up that one group can count; one outcome of each item never points up, one never down."""
    bits = [weight.bits for item in items for weight in weights(*likelihoods(item))]
    return min(bits), max(bits)
