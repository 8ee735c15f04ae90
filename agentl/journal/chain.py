"""The hash chain (durable.md §3): SHA-256 of a domain line, the hash before, and the entry without its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from agentl.values import canonical_json

DOMAIN: Final = b"agentl.journal.chain.v1\n"
EMPTY_HEAD: Final = hashlib.sha256(DOMAIN).hexdigest()


def chain_step(previous: str, body: bytes) -> str:
    """Return the next hash: `previous` is the hash before in hex ("" for the first), `body` canonical JSON in UTF-8."""
    return hashlib.sha256(DOMAIN + previous.encode("ascii") + body).hexdigest()


def body_of(entry: Mapping[str, Any]) -> bytes:
    """Canonical bytes of an entry without its `h`. ValueError for NaN, lone surrogates and what is not JSON."""
    if "h" in entry:
        entry = {name: item for name, item in entry.items() if name != "h"}
    return canonical_json(entry).encode("utf-8")


def line_of(body: bytes, h: str) -> bytes:
    """The stored line of an entry: its canonical body with `h` as the last field, and a newline."""
    return b'%s,"h":"%s"}\n' % (body[:-1], h.encode("ascii"))


def chain_hashes(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the hash of every entry, computed anew."""
    hashes: list[str] = []
    previous = ""
    for entry in entries:
        previous = chain_step(previous, body_of(entry))
        hashes.append(previous)
    return hashes


def chain_head(entries: Iterable[Mapping[str, Any]]) -> str:
    """Return the last hash, or the hash of the domain line alone when there is no entry."""
    head = EMPTY_HEAD
    previous = ""
    for entry in entries:
        head = previous = chain_step(previous, body_of(entry))
    return head


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What a walk over the chain found. `first_bad` is the index of the first entry whose hash does not follow."""

    ok: bool
    reason: str  # "intact", "altered", "head", "unestablished"
    first_bad: int | None
    head_expected: str | None
    head_actual: str


def verify_chain(entries: Iterable[Mapping[str, Any]], *, head: str | None = None) -> ChainReport:
    """Walk the chain of entries that carry `h`, and compare its end with `head` when one was kept apart.

    Entries without `h` (a journal from before chaining) are "unestablished": neither good nor bad.
    """
    previous = ""
    for index, entry in enumerate(entries):
        recorded = entry.get("h")
        if recorded is None:
            return ChainReport(False, "unestablished", index, head, previous or EMPTY_HEAD)
        actual = chain_step(previous, body_of(entry))
        if actual != recorded:
            return ChainReport(False, "altered", index, head, actual)
        previous = actual
    actual = previous or EMPTY_HEAD
    if head is not None and head != actual:
        return ChainReport(False, "head", None, head, actual)
    return ChainReport(True, "intact", None, head, actual)
