"""E009: an expression calls a declared tool. Tools are called as statements only, where the gate sees them.

Searched are the places of `AgentModel.searched` and no others.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for place, call in model.searched_calls:
        if call.function in model.tools:
            yield model.report_call(lint.TOOL_IN_EXPRESSION, place, call, name=call.function)


RULE = AgentRule((lint.TOOL_IN_EXPRESSION,), check)
