"""The chain: vectors of durable.md §18, and what it notices."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.journal.chain import EMPTY_HEAD, chain_hashes, chain_head, verify_chain

VECTORS: list[tuple[dict[str, Any], str]] = [
    (
        {"seq": 0, "kind": "drain", "key": "", "value": {"$list": []}},
        "b6e7639a8724748e05d08308606153e474bc5ce4cfc62fe5207b7eba785d3f8e",
    ),
    (
        {"seq": 1, "kind": "read", "key": "ledger.frozen", "value": {"$sym": "no"}},
        "52c0d76f5e6f362fdf82e4119cb2351367775acd6e198efca4566ae7bce30f9d",
    ),
    (
        {"seq": 2, "kind": "read", "key": "quota.left", "error": ["TimeoutError", "probe took too long"]},
        "f9e405ad220d71043b9f7d95c42ddf107bed64b5300df0d0392b966f0246608d",
    ),
]


def _chained(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**entry, "h": h} for entry, h in zip(entries, chain_hashes(entries), strict=True)]


def test_the_head_of_nothing_is_the_digest_of_the_domain_line() -> None:
    assert EMPTY_HEAD == "d6f9a0a271b8eeed0e6e43f3a54af13c40797ed10fdbeecc9afc59e93120c657"
    assert chain_head([]) == EMPTY_HEAD


def test_the_published_vectors_hold() -> None:
    assert chain_hashes([entry for entry, _ in VECTORS]) == [h for _, h in VECTORS]


def test_key_order_in_an_entry_does_not_change_its_hash() -> None:
    entry = VECTORS[1][0]
    assert chain_hashes([dict(reversed(entry.items()))]) == chain_hashes([entry])


def test_dict_order_of_a_value_changes_the_hash_since_the_file_keeps_it() -> None:
    one = {"seq": 0, "value": {"$dict": [["a", 1], ["b", 2]]}}
    two = {"seq": 0, "value": {"$dict": [["b", 2], ["a", 1]]}}
    assert chain_hashes([one]) != chain_hashes([two])


@given(st.integers(0, 5), st.sampled_from(["change", "remove", "insert", "swap"]))
def test_a_change_names_the_first_entry_that_no_longer_follows(place: int, how: str) -> None:
    entries = _chained([{"seq": n, "kind": "read", "key": f"k{n}", "value": n} for n in range(7)])
    if how == "change":
        entries[place] = {**entries[place], "value": -1}
    elif how == "remove":
        del entries[place]
    elif how == "insert":
        entries.insert(place, {**entries[place], "value": -1})
    else:
        entries[place], entries[place + 1] = entries[place + 1], entries[place]
    report = verify_chain(entries)
    assert not report.ok
    assert report.reason == "altered"
    assert report.first_bad == place


def test_a_missing_tail_is_only_seen_against_a_head_kept_apart() -> None:
    entries = _chained([{"seq": n, "kind": "read", "key": "k", "value": n} for n in range(3)])
    head = entries[-1]["h"]
    assert verify_chain(entries[:-1]).ok
    assert verify_chain(entries[:-1], head=head).reason == "head"
    assert verify_chain(entries, head=head).ok


def test_entries_without_hashes_establish_nothing() -> None:
    report = verify_chain([VECTORS[0][0]])
    assert (report.ok, report.reason) == (False, "unestablished")


def test_text_that_cannot_be_utf8_is_refused() -> None:
    with pytest.raises(ValueError):
        chain_hashes([{"seq": 0, "key": "\ud800"}])
