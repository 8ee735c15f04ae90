"""Findings inside a scenario: at its keyword as in AGENT-L 1.10, and at the very place where one line holds both."""

from __future__ import annotations

from agentl.analysis.model import AgentModel, Hint
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Scenario
from agentl.ir.node import Node
from agentl.messages import Message, lint


def report_in(
    model: AgentModel,
    message: Message,
    scenario: Scenario,
    node: Node,
    shown: str,
    hint: Hint | None = None,
    /,
    **arguments: object,
) -> Diagnostic:
    """Make a finding about a part of a scenario. Where the part stands on another line it is the related place.

    `shown` is the part's name in the line about that place.
    """
    symbol = f"scenario:{scenario.name}"
    if model.places.share_line(scenario, node):
        return model.report(message, node, symbol=symbol, hint=hint, related=(), **arguments)
    here = model.related(node, lint.USED_HERE, name=shown)
    return model.report(message, scenario, symbol=symbol, hint=hint, related=(here,), **arguments)
