"""What an agent declares itself, apart from what modules bring in."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.ir.declarations import Rule
from agentl.ir.node import Node


def is_own(model: AgentModel, node: Node) -> bool:
    """True for a node that stands in the text of its agent."""
    return model.places.source(node) is model.places.source(model.agent)


def own_rules(model: AgentModel) -> Iterator[Rule]:
    """Yield the policy rules that the agent writes itself: others cannot be mended there."""
    return (rule for rule in model.agent.rules if is_own(model, rule))
