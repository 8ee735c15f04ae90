"""W120: a risky tool without a REQUIRE APPROVAL on it or on `*` that holds for every call of it.

A guard on the declared risk alone, such as `action.risk >= HIGH`, holds for every call; AGENT-L 1.10 accepts no guard.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.guards import Targets
from agentl.analysis.model import AgentModel
from agentl.analysis.risk import holds_by_risk, risky_tools
from agentl.analysis.rule import AgentRule
from agentl.analysis.unprotected import report_unprotected
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_policy


def check(model: AgentModel) -> Iterator[Diagnostic]:
    risky = tuple(risky_tools(model))
    approved = {risk: _always_approved(model, risk) for risk in {tool.risk for tool in risky}}
    unapproved = (tool for tool in risky if tool.name not in approved[tool.risk])
    yield from report_unprotected(model, lint_policy.UNAPPROVED_TOOL, unapproved)


def _always_approved(model: AgentModel, risk: str) -> Targets:
    """The tools whose every call a person approves, of those of a risk."""
    asking = (rule for rule in model.agent.rules if rule.effect == "REQUIRE_APPROVAL")
    return Targets(
        rule for rule in asking if rule.guard is None or (model.profile != "compat" and holds_by_risk(rule.guard, risk))
    )


RULE = AgentRule((lint_policy.UNAPPROVED_TOOL,), check)
