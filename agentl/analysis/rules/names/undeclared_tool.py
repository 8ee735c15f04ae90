"""E001: a call statement names a tool that the same agent does not declare.

Dotted names are compared whole. A tool of another agent of the file does not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import did_you_mean
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Call
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, symbol in model.sites:
        if isinstance(statement, Call) and statement.tool not in model.tools:
            hint = did_you_mean(statement.tool, model.tools)
            yield model.report(lint.UNDECLARED_TOOL, statement, symbol=symbol, hint=hint, tool=statement.tool)


RULE = AgentRule((lint.UNDECLARED_TOOL,), check)
