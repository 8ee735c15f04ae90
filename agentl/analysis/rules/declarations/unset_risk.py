"""E011: a tool whose risk nobody has judged (`UNSET`, as importers write it). No policy silences it."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for tool in model.agent.tools:
        if tool.risk == "UNSET":
            yield model.report(lint.UNSET_RISK, tool, symbol=f"tool:{tool.name}", tool=tool.name)


RULE = AgentRule((lint.UNSET_RISK,), check)
