"""W135: `p != x` stands where a dotted path `p` may have no value yet, which makes it true (diagnostics.md §5.4).

Looked at are the conditions of IF, of plans, handlers and DECIDE rules. Sure is what is observed or believed, and what
every path before the IF has set. Not looked at are the ELSE of DECIDE rules and ON VERIFY.FAIL.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sureness import report_unsure, unsure_inequalities
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_flow


def check(model: AgentModel) -> Iterator[Diagnostic]:
    yield from report_unsure(model, lint_flow.UNSURE_INEQUALITY, unsure_inequalities(model))


RULE = AgentRule((lint_flow.UNSURE_INEQUALITY,), check)
