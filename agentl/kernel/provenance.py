"""How a host says where a value came from (host-api.md §2.2)."""

from __future__ import annotations

from collections.abc import Iterable

from agentl.values import EMPTY_LABEL, Label, Labelled, label, untrusted

__all__ = ["Prov", "untrusted", "unwrap"]


class Prov(frozenset[str]):
    """A set of sources of the language; ValueError for one it does not have."""

    def __new__(cls, sources: Iterable[str] = ()) -> Prov:
        return super().__new__(cls, label(sources))


def unwrap(value: object) -> tuple[object, Label]:
    """Return the bare value and the sources the host added to it."""
    if isinstance(value, Labelled):
        return value.value, value.sources
    return value, EMPTY_LABEL
