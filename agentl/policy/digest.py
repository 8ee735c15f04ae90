"""The fingerprint of a policy, kept in every permit and intent (durable.md §4)."""

from __future__ import annotations

from agentl.ir.node import to_data
from agentl.ir.program import Agent
from agentl.values import canonical_json, domain_digest


def policy_digest(agent: Agent) -> str:
    """SHA-256 hex over the DEFAULT and every rule in order; where a rule stands in the text does not matter."""
    rules = [canonical_json(to_data(rule)) for rule in agent.rules]
    return domain_digest("agentl.policy.v1", agent.policy_default or "ALLOW", *rules)
