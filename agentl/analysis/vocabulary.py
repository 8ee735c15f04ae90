"""Names that tell what a thing is about: targets, raw text, backlogs (diagnostics.md §4, §7 item 8)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentl.analysis.profile import Profile

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def speaks_of(name: str, vocabulary: Iterable[str], profile: Profile) -> bool:
    """True when a name contains one of the words, as a whole word in the strict profile (`width` has no `id`)."""
    if profile != "strict":
        lowered = name.lower()
        return any(word in lowered for word in vocabulary)
    parts = {part.lower() for part in _WORD.findall(name)}
    return not parts.isdisjoint(vocabulary)
