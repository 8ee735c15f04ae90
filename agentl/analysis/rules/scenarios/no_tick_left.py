"""E010: WITHIN, cut to a whole number, leaves a scenario no tick to run. Without WITHIN the bound is one tick."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import scenarios as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for scenario in model.agent.scenarios:
        if scenario.within is not None and scenario.within < 1:
            yield model.report(
                messages.NO_TICK_LEFT,
                scenario,
                symbol=f"scenario:{scenario.name}",
                scenario=scenario.name,
                within=scenario.within,
            )


RULE = AgentRule((messages.NO_TICK_LEFT,), check)
