"""O111: a call may need an approval, and an argument of it is not constant: no decision can be there in advance."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.approvals import approvals
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for approval in model.derived(approvals):
        for name, expression in approval.computed.items():
            yield model.report(
                messages.APPROVAL_NOT_CONSTANT,
                expression,
                symbol=approval.symbol,
                related=(model.related(approval.rule, messages.RULE_HERE),),
                tool=approval.call.tool,
                argument=name,
            )


RULE = AgentRule((messages.APPROVAL_NOT_CONSTANT,), check, profile="sequential")
