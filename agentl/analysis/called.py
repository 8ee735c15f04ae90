"""Which tools something in an agent can call."""

from __future__ import annotations

from agentl.analysis.model import AgentModel


def called(model: AgentModel) -> frozenset[str]:
    """Return the names that statements call, and with a planner those of all operators."""
    names = {call.tool for call, _ in model.calls}
    if model.agent.planner is not None:
        names.update(tool.name for tool in model.operators)
    return frozenset(names)
