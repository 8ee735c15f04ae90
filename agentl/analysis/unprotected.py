"""Findings about risky tools that can act without a person being asked; all have the same fix (W101, W120, W247)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.policy_edits import require_approval
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Tool
from agentl.messages import Message


def report_unprotected(
    model: AgentModel, message: Message, tools: Iterable[Tool], /, **arguments: object
) -> Iterator[Diagnostic]:
    """Report each of these tools; `arguments` are what the message says besides tool and risk."""
    for tool in tools:
        yield model.report(
            message,
            tool,
            symbol=f"tool:{tool.name}",
            hint=None,
            related=(),
            fixes=require_approval(model, tool),
            tool=tool.name,
            risk=tool.risk,
            **arguments,
        )
