"""W208, strict profile: an input of an operator takes its value from a BIND path that nothing in the agent defines.

The planner cannot call the tool then; W109 takes every BIND for defined. Without a PLANNER nothing reads BIND.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.defined_paths import DefinedPaths
from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.planner is None:
        return
    defined = model.derived(DefinedPaths)
    paths = Spelling(model.known)
    for tool in model.operators:
        for parameter in tool.inputs:
            if parameter.bind is None or defined.has(parameter.bind, None):
                continue
            hint = paths.did_you_mean(parameter.bind)
            yield model.report(
                lint_planner.UNDEFINED_BINDING,
                parameter,
                symbol=f"tool:{tool.name}",
                hint=hint,
                fixes=renamed(model, parameter, parameter.bind, hint),
                tool=tool.name,
                input=parameter.name,
                path=parameter.bind,
            )


RULE = AgentRule((lint_planner.UNDEFINED_BINDING,), check, profile="strict")
