"""Labels: the set of sources a value came from (semantics.md §23). Combining is union; nothing removes a source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Label = frozenset[str]

EMPTY_LABEL: Label = frozenset()
TRUSTED_SOURCES: Label = frozenset({"DECLARED", "RUNTIME", "OBSERVED", "HUMAN", "EFFECT", "INFERRED", "FALLBACK"})
UNTRUSTED_SOURCES: Label = frozenset(
    {"TOOL", "LLM", "MESSAGE", "EVENT", "DELEGATE", "SHARED", "MEMORY", "EXTERNAL", "UNKNOWN"}
)
SOURCES: Label = TRUSTED_SOURCES | UNTRUSTED_SOURCES


def label(sources: Iterable[str]) -> Label:
    """Make a label; ValueError for a source the language does not have."""
    made = frozenset(sources)
    unknown = made - SOURCES
    if unknown:
        raise ValueError(f"unknown provenance source: {', '.join(sorted(unknown))}")
    return made


def is_untrusted(sources: Label) -> bool:
    """True when a source is untrusted, or when nothing is known about where the value came from."""
    return not sources or not sources.isdisjoint(UNTRUSTED_SOURCES)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A host value with sources the host adds. A host can only add to a label, never remove."""

    value: object
    sources: Label


def untrusted(value: object) -> Labelled:
    """Mark a host value as EXTERNAL (host-api §2.2)."""
    if isinstance(value, Labelled):
        return Labelled(value.value, value.sources | {"EXTERNAL"})
    return Labelled(value, frozenset({"EXTERNAL"}))
