"""W203, strict profile: the probabilities of a tool's outcomes do not sum to 1, in an agent without a PLANNER.

Scenarios draw outcomes by them, and a planner that is added later divides by the sum.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.outcomes import unbalanced
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.planner is None:
        yield from unbalanced(model, lint_planner.UNPLANNED_OUTCOMES)


RULE = AgentRule((lint_planner.UNPLANNED_OUTCOMES,), check, profile="strict")
