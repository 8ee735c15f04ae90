"""W113: the probabilities of a tool's outcomes do not sum to 1, in an agent with a PLANNER, which divides by the sum.

An OUTCOME without WITH counts as 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.outcomes import unbalanced
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.planner is not None:
        yield from unbalanced(model, lint_planner.UNBALANCED_OUTCOMES)


RULE = AgentRule((lint_planner.UNBALANCED_OUTCOMES,), check)
