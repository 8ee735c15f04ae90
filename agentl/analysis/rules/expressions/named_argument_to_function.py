"""E201: a named argument given to a built-in function, which would ignore it (syntax.md §2.4).

Provenance functions are E016.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.functions import NUMERIC
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for place, call in model.searched_calls:
        if call.function in NUMERIC and call.function not in model.tools:
            for argument in call.named:
                yield model.report_call(
                    lint.NAMED_ARGUMENT_TO_FUNCTION, place, call, function=call.function, name=argument.name
                )


RULE = AgentRule((lint.NAMED_ARGUMENT_TO_FUNCTION,), check)
