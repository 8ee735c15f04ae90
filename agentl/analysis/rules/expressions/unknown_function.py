"""E015: an expression calls a name that is neither a declared tool (E009) nor a built-in function."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.functions import BUILT_IN
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    names = Spelling((*BUILT_IN, *model.tools))
    for place, call in model.searched_calls:
        name = call.function
        if name not in model.tools and name not in BUILT_IN:
            hint = names.did_you_mean(name)
            functions = ", ".join(sorted(BUILT_IN, key=str.lower))
            fixes = renamed(model, call, name, hint)
            yield model.report_call(
                lint.UNKNOWN_FUNCTION, place, call, hint, fixes=fixes, name=name, functions=functions
            )


RULE = AgentRule((lint.UNKNOWN_FUNCTION,), check)
