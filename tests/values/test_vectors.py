"""The vectors of durable.md §18: the bytes other implementations agree with."""

from __future__ import annotations

from agentl.values import canonical_arguments, domain_digest

ARGUMENTS = '{"$dict":[["amount",40],["order","ord-17"]]}'
DIGEST = "ea3fa37ae91b2ce1b4772af3e21bfbb18c44a2d282af66cb52423e0731e211ee"


def test_canonical_arguments_in_either_order() -> None:
    assert canonical_arguments({"order": "ord-17", "amount": 40}) == ARGUMENTS
    assert canonical_arguments({"amount": 40, "order": "ord-17"}) == ARGUMENTS


def test_action_digest_and_idempotency_key() -> None:
    assert domain_digest("agentl.action.v1", "invoke", "issue_refund", ARGUMENTS) == DIGEST
    assert domain_digest("agentl.idem.v1", "r7", "DESK", "1", DIGEST)[:32] == "548c886a2798faff1fccd725ff47f10b"
