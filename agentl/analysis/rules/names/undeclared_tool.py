"""E001: a call statement names a tool that the same agent does not declare.

Dotted names are compared whole. A tool of another agent of the file does not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import branches, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    tools = Spelling(model.tools)
    for call, symbol in model.calls:
        if call.tool not in model.tools:
            hint = _hint(call.tool, tools)
            fixes = renamed(model, call, call.tool, hint)
            yield model.report(lint.UNDECLARED_TOOL, call, symbol=symbol, hint=hint, fixes=fixes, tool=call.tool)


def _hint(name: str, tools: Spelling) -> Hint | None:
    if name in branches.HOW_TO_WRITE:
        return branches.HOW_TO_WRITE[name], {}
    return tools.did_you_mean(name)


RULE = AgentRule((lint.UNDECLARED_TOOL,), check)
