"""W119: in a plan, a risky tool gets what it acts on from a model's answer, and no input attests it.

What a tool acts on is known by the name of the input. The answer must come from the same plan; SET passes it on. In the
strict profile `judge.*` counts too, and an attesting argument from a model's answer attests nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agentl.analysis.arguments import bound_arguments
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.risk import counts_as_risky
from agentl.analysis.rule import AgentRule
from agentl.analysis.statements import nested, plan_body
from agentl.analysis.taint import tainted_names
from agentl.analysis.vocabulary import speaks_of
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Tool
from agentl.ir.expressions import Expression
from agentl.ir.statements import Call, Statement
from agentl.messages import lint_models

TARGETS = (
    *("target", "host", "ip", "pid", "user", "account", "file", "path", "recipient", "address", "resource"),
    *("device", "object", "entity", "vm", "container", "key", "id", "repository"),
)


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for plan in model.agent.plans:
        yield from in_body(model, f"plan:{plan.name}", plan_body(plan))


def in_body(model: AgentModel, symbol: str, body: Sequence[Statement]) -> Iterator[Diagnostic]:
    """Look at one body of statements by itself."""
    tainted = tainted_names(nested(body), judge_paths=model.profile == "strict")
    for call in (each for each in nested(body) if isinstance(each, Call)):
        tool = model.tools.get(call.tool)
        if tool is None or not counts_as_risky(tool, model):
            continue
        given = dict(bound_arguments(tool, call))
        attested = _attested(model, tool, given, tainted)
        for name, argument in given.items():
            if name in attested or not speaks_of(name, TARGETS, model.profile):
                continue
            if not tainted.isdisjoint(paths(argument)):
                yield model.report(lint_models.MODEL_CHOSEN_TARGET, call, symbol=symbol, tool=tool.name, input=name)


def _attested(
    model: AgentModel, tool: Tool, given: Mapping[str, Expression], tainted: frozenset[str]
) -> frozenset[str]:
    attesters = tool.inputs
    if model.profile == "strict":
        attesters = tuple(p for p in attesters if p.name in given and tainted.isdisjoint(paths(given[p.name])))
    return frozenset(p.attests for p in attesters if p.attests is not None)


RULE = AgentRule((lint_models.MODEL_CHOSEN_TARGET,), check)
