"""Findings inside a scenario: at its keyword as in AGENT-L 1.10, and at the very place where one line holds both."""

from __future__ import annotations

from collections.abc import Iterable

from agentl.analysis.model import AgentModel, Hint
from agentl.diagnostics import Diagnostic, Fix
from agentl.ir.declarations import Scenario
from agentl.ir.node import Node
from agentl.messages import Message


def report_in(
    model: AgentModel,
    message: Message,
    scenario: Scenario,
    node: Node,
    shown: str,
    hint: Hint | None = None,
    /,
    *,
    fixes: Iterable[Fix] = (),
    **arguments: object,
) -> Diagnostic:
    """Make a finding about a part of a scenario, called `shown` where it stands on another line."""
    symbol = f"scenario:{scenario.name}"
    return model.report_within(
        message, scenario, node, shown, symbol=symbol, hint=hint, related=(), fixes=fixes, **arguments
    )
