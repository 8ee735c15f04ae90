"""E016: a provenance function that asks about nothing. Each defect of a call is a finding of its own."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.functions import PROVENANCE
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_text
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Expression, FunctionCall, Path
from agentl.messages import Phrase, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    tools = Spelling(model.tools)
    for place, call in model.searched_calls:
        if call.function not in PROVENANCE or call.function in model.tools:
            continue
        for problem in _problems(call, place.is_guard):
            yield model.report_call(lint.MISUSED_PROVENANCE, place, call, function=call.function, problem=problem)
        if call.function == "ATTESTED" and len(call.positional) > 1:
            attester = call.positional[1]
            if not _is_tool(model, attester):
                name = path_text(attester) or ""
                hint = tools.did_you_mean(name)
                yield model.report_call(
                    lint.MISUSED_PROVENANCE,
                    place,
                    call,
                    hint,
                    fixes=renamed(model, attester, name, hint),
                    function=call.function,
                    problem=Phrase(lint.ATTESTER_IS_NO_TOOL),
                )


def _problems(call: FunctionCall, is_guard: bool) -> Iterator[Phrase]:
    first = path_text(call.positional[0]) if call.positional else None
    if first is None:
        yield Phrase(lint.NEEDS_A_PATH)
    if first == "action" and call.function == "ATTESTED":
        yield Phrase(lint.ACTION_IS_NOT_ATTESTED)
    if first == "action" and not is_guard:
        yield Phrase(lint.ACTION_OUTSIDE_GUARD)
    most = 2 if call.function == "ATTESTED" else 1
    if len(call.positional) > most or call.named:
        yield Phrase(lint.TOO_MANY_FOR_PROVENANCE, most=most)


def _is_tool(model: AgentModel, attester: Expression) -> bool:
    return isinstance(attester, Path) and attester.path in model.tools


RULE = AgentRule((lint.MISUSED_PROVENANCE,), check)
