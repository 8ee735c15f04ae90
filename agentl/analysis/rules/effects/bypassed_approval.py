"""W244: before one call of an acting tool a person is asked, and another call of it can be reached without.

Asked is who comes to the call through an ASK on every way, or stands in an IF that reads `answer`. A policy rule that
requires approval for the tool holds on every way, and there is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.asking import call_sites
from agentl.analysis.facts import acts
from agentl.analysis.guards import Targets
from agentl.analysis.model import AgentModel
from agentl.analysis.policy_edits import require_approval
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Call
from agentl.messages import lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    approved = Targets(rule for rule in model.agent.rules if rule.effect == "REQUIRE_APPROVAL")
    asked: dict[str, Call] = {}
    unasked: list[tuple[Call, str]] = []
    for site in call_sites(model):
        tool = model.tools.get(site.call.tool)
        if tool is None or not acts(tool) or tool.name in approved:
            continue
        if site.is_asked:
            asked.setdefault(tool.name, site.call)
        else:
            unasked.append((site.call, site.symbol))
    for call, symbol in unasked:
        if call.tool in asked:
            yield model.report(
                lint_effects.BYPASSED_APPROVAL,
                call,
                symbol=symbol,
                related=(model.related(asked[call.tool], lint_effects.ASKED_HERE),),
                fixes=require_approval(model, model.tools[call.tool]),
                tool=call.tool,
            )


RULE = AgentRule((lint_effects.BYPASSED_APPROVAL,), check)
