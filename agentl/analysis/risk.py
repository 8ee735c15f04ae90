"""Risk: which tools the rules on safety look at."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import is_risky
from agentl.analysis.model import AgentModel
from agentl.ir.declarations import Tool
from agentl.ir.expressions import Comparison, Expression, Path


def counts_as_risky(tool: Tool, model: AgentModel) -> bool:
    """HIGH and CRITICAL, as in AGENT-L 1.10; SEVERE as well in the strict profile (diagnostics.md §7 item 14)."""
    return is_risky(tool) or (model.profile == "strict" and tool.risk == "SEVERE")


def risky_tools(model: AgentModel) -> Iterator[Tool]:
    """Yield the risky tools by name."""
    for tool in sorted(model.agent.tools, key=lambda each: each.name):
        if counts_as_risky(tool, model):
            yield tool


def holds_by_risk(guard: Expression, risk: str) -> bool:
    """True when a guard compares `action.risk` with a word, and holds for every action of this declared risk."""
    if not isinstance(guard, Comparison) or not isinstance(guard.left, Path) or not isinstance(guard.right, Path):
        return False
    if guard.left.path != "action.risk":
        return False
    from agentl.values.ordinal import RANKS

    word = guard.right.path
    if guard.op in ("==", "!="):
        return (word == risk) is (guard.op == "==")
    if word.upper() not in RANKS or risk not in RANKS or guard.op == "IN":
        return False
    difference = RANKS[risk] - RANKS[word.upper()]
    return {">": difference > 0, ">=": difference >= 0, "<": difference < 0, "<=": difference <= 0}[guard.op]
