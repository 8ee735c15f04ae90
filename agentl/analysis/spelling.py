"""Spelling hints: the declared name that a wrong one most resembles."""

from __future__ import annotations

from collections.abc import Iterable

from agentl.analysis.model import Hint
from agentl.messages import lint


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like `name`, upper and lower case being equal, or None when none is near.

    Ties go to the first in sorted order, so that the hint never depends on set order.
    """
    from difflib import get_close_matches  # only a program with a finding pays for it

    by_lower = {candidate.lower(): candidate for candidate in sorted(candidates, reverse=True)}
    by_lower.pop("", None)
    near = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[near[0]] if near else None


def did_you_mean(name: str, candidates: Iterable[str]) -> Hint | None:
    """Return the hint "did you mean …", or None, which leaves the help of the message."""
    near = closest(name, candidates)
    return None if near is None else (lint.DID_YOU_MEAN, {"name": near})
