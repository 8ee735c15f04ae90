"""W118: an expectation reads nothing that the agent can bring about, so that the agent cannot be what makes it true.

One path that acting produces is enough, whatever else the expression reads. `goal.satisfied` is not one.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.in_scenarios import report_in
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import scenarios as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    produced = Spelling(model.produced)
    for scenario in model.agent.scenarios:
        for expected in scenario.expect:
            read = paths(expected)
            if model.produced.isdisjoint(read):
                from agentl.logic.render import render_expression  # only a program with a finding pays for it

                hints = (produced.did_you_mean(path) for path in read if path not in model.known)
                text = render_expression(expected)
                yield report_in(
                    model,
                    messages.UNPRODUCED_EXPECTATION,
                    scenario,
                    expected,
                    text,
                    next((hint for hint in hints if hint is not None), None),
                    expression=text,
                )


RULE = AgentRule((messages.UNPRODUCED_EXPECTATION,), check)
