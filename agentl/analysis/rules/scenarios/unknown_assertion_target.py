"""E014: an assertion about calls names a tool, or one about an event a source, that the agent does not declare.

A sub-agent that is delegated to is no tool unless a TOOL bears its name. Dotted sources are compared whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.in_scenarios import report_in
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import scenarios as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    sources = frozenset(event.source for event in model.agent.events)
    kinds = {"EVENT": (sources, Spelling(sources)), "TOOL": (model.tools.keys(), Spelling(model.tools))}
    for scenario in model.agent.scenarios:
        for assertion in scenario.assertions:
            if assertion.form == "NO_ERROR":
                continue
            kind = "EVENT" if assertion.form == "EVENT" else "TOOL"
            declared, names = kinds[kind]
            if assertion.target not in declared:
                hint = names.did_you_mean(assertion.target)
                yield report_in(
                    model,
                    messages.UNKNOWN_ASSERTION_TARGET,
                    scenario,
                    assertion,
                    assertion.target,
                    hint,
                    fixes=renamed(model, assertion, assertion.target, hint),
                    assertion=assertion.form.replace("_", " "),
                    kind=kind,
                    target=assertion.target,
                )


RULE = AgentRule((messages.UNKNOWN_ASSERTION_TARGET,), check)
