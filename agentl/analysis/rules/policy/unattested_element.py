"""W122: in a FOREACH, a call that P of a hypothesis allows gets parts of the element, and nothing attests that element.

The hypothesis is about all elements together, the call is about one. The ALLOW must be on the tool itself and name the
hypothesis. Attested is an element when both inputs of an ATTESTS are given and what it attests comes from the element.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.arguments import bound_arguments
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.analysis.statements import nested
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Tool
from agentl.ir.statements import Call, Foreach
from agentl.messages import lint_policy


def check(model: AgentModel) -> Iterator[Diagnostic]:
    allowed_by = _hypotheses_that_allow(model)
    for loop, symbol in model.sites if allowed_by else ():
        if not isinstance(loop, Foreach):
            continue
        for call in nested(loop.body):
            if not isinstance(call, Call) or call.tool not in allowed_by or call.tool not in model.tools:
                continue
            if _gets_part_unattested(model.tools[call.tool], call, f"{loop.variable}."):
                yield model.report(
                    lint_policy.UNATTESTED_ELEMENT,
                    call,
                    symbol=symbol,
                    tool=call.tool,
                    variable=loop.variable,
                    hypothesis=allowed_by[call.tool],
                )


def _hypotheses_that_allow(model: AgentModel) -> dict[str, str]:
    """For each target of an ALLOW whose guard names a hypothesis, the first such name."""
    names = {hypothesis.name for hypothesis in model.agent.hypotheses}
    found: dict[str, str] = {}
    for rule in model.agent.rules:
        if rule.effect == "ALLOW":
            for path in paths(rule.guard):
                if path in names:
                    found.setdefault(rule.target, path)
    return found


def _gets_part_unattested(tool: Tool, call: Call, element: str) -> bool:
    parts = {
        name for name, value in bound_arguments(tool, call) if any(path.startswith(element) for path in paths(value))
    }
    given = {name for name, _ in bound_arguments(tool, call)}
    attested = any(p.attests in parts and p.name in given for p in tool.inputs)
    return bool(parts) and not attested


RULE = AgentRule((lint_policy.UNATTESTED_ELEMENT,), check)
