"""Policy: the rules of one agent, compiled and indexed by tool; decide and explain (policy.md)."""

from agentl.policy.digest import policy_digest
from agentl.policy.engine import PolicyEngine
from agentl.policy.explain import Explanation, RuleExplanation

__all__ = ["Explanation", "PolicyEngine", "RuleExplanation", "policy_digest"]
