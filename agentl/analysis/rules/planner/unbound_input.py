"""W109: an input of an operator that nothing gives a value to, so that the planner cannot call it.

An input is found by its BIND, else by its own name. A BIND always counts, whatever it names.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_planner


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.planner is None:
        return
    for tool in model.operators:
        for parameter in tool.inputs:
            path = parameter.bind or parameter.name
            if path not in model.referenced and path not in model.refreshed:
                symbol = f"tool:{tool.name}"
                yield model.report(lint_planner.UNBOUND_INPUT, tool, symbol=symbol, tool=tool.name, input=path)


RULE = AgentRule((lint_planner.UNBOUND_INPUT,), check)
