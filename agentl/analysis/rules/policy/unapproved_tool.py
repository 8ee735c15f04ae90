"""W120: a risky tool without a REQUIRE APPROVAL on it or on `*` that holds for every call of it.

A guard on the declared risk alone, such as `action.risk >= HIGH`, holds for every call; AGENT-L 1.10 accepts no guard.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.policy_edits import require_approval
from agentl.analysis.risk import holds_by_risk, risky_tools
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Rule, Tool
from agentl.messages import lint_policy


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for tool in risky_tools(model):
        if not any(_always_asks(rule, tool, model) for rule in model.guards.concerning(tool.name)):
            yield model.report(
                lint_policy.UNAPPROVED_TOOL,
                tool,
                symbol=f"tool:{tool.name}",
                fixes=require_approval(model, tool),
                tool=tool.name,
                risk=tool.risk,
            )


def _always_asks(rule: Rule, tool: Tool, model: AgentModel) -> bool:
    if rule.effect != "REQUIRE_APPROVAL":
        return False
    return rule.guard is None or (model.profile != "compat" and holds_by_risk(rule.guard, tool.risk))


RULE = AgentRule((lint_policy.UNAPPROVED_TOOL,), check)
