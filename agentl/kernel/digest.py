"""What binds a permit and names an action: digests and keys (durable.md §4, decision 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.kernel.request import Identity
from agentl.values import canonical_arguments, canonical_json, domain_digest, encode

KEY_LENGTH = 32  # hex digits


def canonical(value: object) -> Any:
    """Return the JSON data a value is hashed as; dicts sorted. Raises NotStorable."""
    return encode(value, sort_dicts=True)


def canonical_bytes(value: object) -> bytes:
    """Return the UTF-8 text of `canonical(value)`."""
    return canonical_json(canonical(value)).encode("utf-8")


def value_digest(value: object) -> str:
    """SHA-256 hex of one value."""
    return domain_digest("agentl.value.v1", canonical_json(canonical(value)))


def action_digest(kind: str, target: str, args: Mapping[str, object]) -> str:
    """SHA-256 hex over permit kind, target and canonical arguments; key order does not matter. Raises NotStorable."""
    return domain_digest("agentl.action.v1", kind, target, canonical_arguments(dict(args)))


def idempotency_key(identity: Identity, action_hash: str) -> str:
    """32 hex digits that stay the same across restarts and attempts: neither tick nor attempt is in them."""
    agent = f"{identity.agent}/{identity.branch}" if identity.branch else identity.agent
    parts = (identity.key_space, agent, str(identity.sequence), action_hash)
    return domain_digest("agentl.idem.v1", *parts)[:KEY_LENGTH]
