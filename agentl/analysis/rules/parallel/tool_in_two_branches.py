"""E208: a tool with SIDE_EFFECT is called in more than one branch of a PARALLEL that is not MAX 1 (decision 18)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.branches import parallels, statements_of
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Call, Parallel
from agentl.messages import branches as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for parallel, symbol in parallels(model):
        if parallel.limit != 1:
            yield from _shared(model, parallel, symbol)


def _shared(model: AgentModel, parallel: Parallel, symbol: str) -> Iterator[Diagnostic]:
    first: dict[str, tuple[str, Call]] = {}
    told: set[str] = set()
    for branch in parallel.branches:
        for call in statements_of(branch, model):
            if not isinstance(call, Call) or call.tool not in model.tools or not model.tools[call.tool].side_effects:
                continue
            one, earlier = first.setdefault(call.tool, (branch.name, call))
            if one == branch.name or call.tool in told:
                continue
            told.add(call.tool)
            yield model.report(
                messages.SHARED_SIDE_EFFECT,
                call,
                symbol=symbol,
                related=(model.related(earlier, messages.CALLED_HERE, branch=one),),
                tool=call.tool,
                one=one,
                other=branch.name,
            )


RULE = AgentRule((messages.SHARED_SIDE_EFFECT,), check)
