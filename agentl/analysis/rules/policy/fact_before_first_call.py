"""W222: a closed rule reads `tools.t.available` or `.failures`, which are unknown until `t` was called.

An unknown guard makes a NEVER, DENY or REQUIRE APPROVAL apply: `NEVER a WHEN tools.b.available == false` forbids `a`
until `b` has succeeded once (semantics.md §11.4), and the same rule on `b` forbids it for ever. A path that the agent
gives a value itself is left alone: a BELIEF hides what the run finds out (semantics.md §2.1), which W104 says.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import is_closed
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_nodes
from agentl.analysis.rule import AgentRule
from agentl.analysis.tool_facts import AFTER_A_CALL, tool_fact
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for rule in model.agent.rules:
        if rule.guard is None or not is_closed(rule):
            continue
        for node, path in path_nodes(rule.guard):
            read = tool_fact(path)
            if read is not None and read.fact in AFTER_A_CALL and read.tool in model.tools and path not in model.known:
                yield model.report(
                    lint.FACT_BEFORE_FIRST_CALL,
                    node,
                    symbol=f"rule:{rule.target}",
                    path=path,
                    tool=read.tool,
                    target=rule.target,
                )


RULE = AgentRule((lint.FACT_BEFORE_FIRST_CALL,), check)
