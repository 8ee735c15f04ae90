"""W221: a policy rule reads a fact of a declared tool that nothing in the agent can call, so it never changes.

A tool is called by a statement anywhere in the agent, or by the planner when the tool is an operator. An agent
without any call is driven by its host and left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.called import called
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_nodes
from agentl.analysis.rule import AgentRule
from agentl.analysis.tool_facts import FACTS, tool_fact
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    calls = called(model)
    reached = calls | model.delegates
    for rule in model.agent.rules if calls else ():
        for node, path in path_nodes(rule.guard) if rule.guard is not None else ():
            read = tool_fact(path)
            if read is None or read.fact not in FACTS or read.tool not in model.tools:
                continue
            if read.tool not in reached:
                symbol = f"rule:{rule.target}"
                yield model.report(lint.FACT_OF_UNCALLED_TOOL, node, symbol=symbol, path=path, tool=read.tool)


RULE = AgentRule((lint.FACT_OF_UNCALLED_TOOL,), check)
