"""W204, strict profile: the REASON of DECIDE, where a model chooses the plan, without USING or with an empty one."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_models


def check(model: AgentModel) -> Iterator[Diagnostic]:
    decide = model.agent.decide
    if decide is not None and decide.reason is not None and not decide.reason.using:
        yield model.report(lint_models.UNLIMITED_CHOICE, decide.reason, symbol="decide")


RULE = AgentRule((lint_models.UNLIMITED_CHOICE,), check, profile="strict")
