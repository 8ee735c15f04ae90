"""W220: a tool named by a reserved word can be declared, but neither called nor named by a rule (syntax.md §1.10)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint
from agentl.syntax.words import RESERVED


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for tool in model.agent.tools:
        if tool.name in RESERVED:
            yield model.report(lint.UNREACHABLE_TOOL, tool, symbol=f"tool:{tool.name}", tool=tool.name)


RULE = AgentRule((lint.UNREACHABLE_TOOL,), check)
