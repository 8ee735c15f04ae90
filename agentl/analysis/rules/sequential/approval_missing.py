"""O110: a call may need an approval, its arguments are constant, and no decision is at hand for them.

While a program is only checked nobody knows which decisions there will be: then it is told as information.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agentl.analysis.approvals import approvals
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    decided = model.at_hand.decided
    for approval in model.derived(approvals):
        tool = approval.call.tool
        if approval.computed or (decided is not None and decided(tool, approval.constants)):
            continue
        found = model.report(
            messages.APPROVAL_MISSING,
            approval.call,
            symbol=approval.symbol,
            related=(model.related(approval.rule, messages.RULE_HERE),),
            tool=tool,
        )
        yield replace(found, severity="info") if decided is None else found


RULE = AgentRule((messages.APPROVAL_MISSING,), check, profile="sequential")
