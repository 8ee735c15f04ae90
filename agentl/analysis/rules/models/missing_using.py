"""W129: a REASON or JUDGE without USING, or with an empty one. The REASON of DECIDE is not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_models


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, symbol in model.oracles:
        if not statement.using:
            # WHY: only a program with a finding pays for its fix.
            from agentl.analysis.using_edits import guarding_paths_shown

            yield model.report(
                lint_models.MISSING_USING,
                statement,
                symbol=symbol,
                fixes=guarding_paths_shown(model, statement, symbol),
                word=statement.kind.upper(),
            )


RULE = AgentRule((lint_models.MISSING_USING,), check)
