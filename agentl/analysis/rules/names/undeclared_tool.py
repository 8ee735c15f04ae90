"""E001: a call statement names a tool that the same agent does not declare.

Dotted names are compared whole. A tool of another agent of the file does not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import did_you_mean
from agentl.diagnostics import Diagnostic
from agentl.messages import branches, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for call, symbol in model.calls:
        if call.tool not in model.tools:
            hint = _hint(model, call.tool)
            yield model.report(lint.UNDECLARED_TOOL, call, symbol=symbol, hint=hint, tool=call.tool)


def _hint(model: AgentModel, name: str) -> Hint | None:
    if name in branches.HOW_TO_WRITE:
        return branches.HOW_TO_WRITE[name], {}
    return did_you_mean(name, model.tools)


RULE = AgentRule((lint.UNDECLARED_TOOL,), check)
