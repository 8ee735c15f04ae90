"""W205, strict profile: a condition that is true while its path has no value, where W135 does not look.

These are `NOT p == x` in the places of W135, and it or `p != x` in the ELSE of DECIDE rules and in ON VERIFY.FAIL.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sureness import missed_inequalities, report_unsure
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_flow


def check(model: AgentModel) -> Iterator[Diagnostic]:
    yield from report_unsure(model, lint_flow.UNSURE_ELSEWHERE, missed_inequalities(model))


RULE = AgentRule((lint_flow.UNSURE_ELSEWHERE,), check, profile="strict")
