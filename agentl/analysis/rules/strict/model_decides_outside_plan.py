"""W207, strict profile: what W119 and W125 say of plans, in events, messages, DECIDE, LOOP and ON VERIFY.FAIL."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.retold import retold
from agentl.analysis.rule import AgentRule
from agentl.analysis.rules.models import model_chosen_target, unscreened_text
from agentl.analysis.statements import bodies
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_models

_SAME_FAULTS = (model_chosen_target, unscreened_text)


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for symbol, body in bodies(model.agent):
        if symbol.startswith("plan:"):
            continue
        for rule in _SAME_FAULTS:
            for found in rule.in_body(model, symbol, body):
                yield retold(found, lint_models.MODEL_DECIDES_OUTSIDE_PLAN)


RULE = AgentRule((lint_models.MODEL_DECIDES_OUTSIDE_PLAN,), check, profile="strict")
