"""The vectors of durable.md §18, and what is in a key (decisions 7 and 18)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.kernel.digest import action_digest, canonical_bytes, idempotency_key, value_digest
from agentl.kernel.request import Identity
from agentl.values import NotStorable, Symbol

DIGEST = "ea3fa37ae91b2ce1b4772af3e21bfbb18c44a2d282af66cb52423e0731e211ee"
HERE = Identity("r7", "r7", "DESK", 1, 1)


def test_vectors_of_the_reference_hold() -> None:
    args = {"order": "ord-17", "amount": 40}
    assert canonical_bytes(args) == b'{"$dict":[["amount",40],["order","ord-17"]]}'
    assert action_digest("invoke", "issue_refund", args) == DIGEST
    assert action_digest("invoke", "issue_refund", dict(reversed(args.items()))) == DIGEST
    assert idempotency_key(HERE, DIGEST) == "548c886a2798faff1fccd725ff47f10b"


def test_kind_target_and_the_kind_of_a_value_are_in_the_digest() -> None:
    base = action_digest("invoke", "t", {"x": "a"})
    others: list[tuple[str, str, dict[str, object]]] = [
        ("delegate", "t", {"x": "a"}),
        ("invoke", "u", {"x": "a"}),
        ("invoke", "t", {"x": Symbol("a")}),
    ]
    assert base not in [action_digest(*other) for other in others]
    assert action_digest("invoke", "t", {"x": 5}) != action_digest("invoke", "t", {"x": 5.0})


def test_key_has_neither_tick_nor_run_id_but_key_space_agent_branch_sequence_and_digest() -> None:
    key = idempotency_key(HERE, DIGEST)
    assert idempotency_key(replace(HERE, tick=9, run_id="other"), DIGEST) == key
    changed = [replace(HERE, key_space="k"), replace(HERE, agent="B"), replace(HERE, sequence=2)]
    changed.append(replace(HERE, branch="pay/0.b"))
    keys = {idempotency_key(identity, DIGEST) for identity in changed} | {idempotency_key(HERE, "d"), key}
    assert len(keys) == 6


places = st.builds(
    Identity,
    st.just("r"),
    st.sampled_from(["k", "k2"]),
    st.sampled_from(["A", "B"]),
    st.just(1),
    st.integers(1, 12),
    st.sampled_from(["", "pay/0.b", "pay/1.b"]),
)


@given(st.lists(places, unique=True, max_size=20))
def test_no_two_places_share_a_key(identities: list[Identity]) -> None:
    assert len({idempotency_key(identity, DIGEST) for identity in identities}) == len(identities)


def test_value_digest_tells_values_apart() -> None:
    assert value_digest("a") != value_digest(Symbol("a"))
    with pytest.raises(NotStorable):
        value_digest(object())
