"""W117: GIVEN poses a path that neither the agent nor the world of a scenario knows, so that nobody would read it.

Paths are compared whole. A path that guards merely read fires too: nothing in the agent could ever give it a value.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.in_scenarios import report_in
from agentl.analysis.model import AgentModel
from agentl.analysis.observing_edits import observed
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Delegate
from agentl.messages import scenarios as messages

# What the operator and the model answer (scenario.md §3).
ANSWERS = frozenset({"operator.approval", "operator.answer", "llm.plan"})


def check(model: AgentModel) -> Iterator[Diagnostic]:
    may_be_posed = model.known | ANSWERS | frozenset(_answers_of(model))
    paths = Spelling(may_be_posed)
    for scenario in model.agent.scenarios:
        for given in scenario.given:
            if given.path not in may_be_posed:
                hint = paths.did_you_mean(given.path)
                fixes = (*renamed(model, given, given.path, hint), *observed(model, given, (given.path,)))
                yield report_in(
                    model,
                    messages.UNKNOWN_GIVEN_PATH,
                    scenario,
                    given,
                    given.path,
                    hint,
                    fixes=fixes,
                    path=given.path,
                )


def _answers_of(model: AgentModel) -> Iterator[str]:
    """What tools and sub-agents answer, by the names under which it can be posed."""
    for tool in model.agent.tools:
        yield f"scenario.outcome.{tool.name}"
        yield from (f"{tool.name}.{output.name}" for output in tool.outputs)
    for statement, _ in model.sites:
        if isinstance(statement, Delegate):
            yield from (f"{statement.to}.{name}" for name in statement.expect)


RULE = AgentRule((messages.UNKNOWN_GIVEN_PATH,), check)
