"""W101: a risky tool that no policy rule of any kind is about. One rule on `*` covers every tool."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.model import AgentModel
from agentl.analysis.policy_edits import require_approval
from agentl.analysis.risk import counts_as_risky
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_policy


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if EVERY_TOOL in model.guards.by_target:
        return
    for tool in model.agent.tools:
        if counts_as_risky(tool, model) and tool.name not in model.guards.by_target:
            yield model.report(
                lint_policy.UNGOVERNED_TOOL,
                tool,
                symbol=f"tool:{tool.name}",
                fixes=require_approval(model, tool),
                tool=tool.name,
                risk=tool.risk,
            )


RULE = AgentRule((lint_policy.UNGOVERNED_TOOL,), check)
