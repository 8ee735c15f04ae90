"""W101: a risky tool that no policy rule of any kind is about. One rule on `*` covers every tool."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.guards import Targets
from agentl.analysis.model import AgentModel
from agentl.analysis.risk import counts_as_risky
from agentl.analysis.rule import AgentRule
from agentl.analysis.unprotected import report_unprotected
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_policy


def check(model: AgentModel) -> Iterator[Diagnostic]:
    governed = Targets(model.agent.rules)
    open_tools = (t for t in model.agent.tools if counts_as_risky(t, model) and t.name not in governed)
    yield from report_unprotected(model, lint_policy.UNGOVERNED_TOOL, open_tools)


RULE = AgentRule((lint_policy.UNGOVERNED_TOOL,), check)
