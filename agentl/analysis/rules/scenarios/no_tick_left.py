"""E010: WITHIN, cut to a whole number, leaves a scenario no tick to run. Without WITHIN the bound is one tick."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import after_word, tokens
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic, Edit, Fix
from agentl.ir.declarations import Scenario
from agentl.messages import Phrase
from agentl.messages import scenarios as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for scenario in model.agent.scenarios:
        if scenario.within is not None and scenario.within < 1:
            yield model.report(
                messages.NO_TICK_LEFT,
                scenario,
                symbol=f"scenario:{scenario.name}",
                fixes=_one_tick(model, scenario),
                scenario=scenario.name,
                within=scenario.within,
            )


def _one_tick(model: AgentModel, scenario: Scenario) -> tuple[Fix, ...]:
    bounds = list(after_word(tokens(model, scenario), "WITHIN"))
    return tuple(Fix(Phrase(messages.ONE_TICK), (Edit(bound.span, "1"),), safe=False) for bound in bounds[-1:])


RULE = AgentRule((messages.NO_TICK_LEFT,), check)
