"""E003: a policy rule on a name that is no declared tool, no sub-agent delegated to, and not `*`."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    names = Spelling((*model.tools, *model.delegates))
    for rule in model.agent.rules:
        target = rule.target
        if target == "*" or target in model.tools or target in model.delegates:
            continue
        hint = names.did_you_mean(target)
        yield model.report(
            lint.UNDECLARED_RULE_TARGET,
            rule,
            symbol=f"rule:{target}",
            hint=hint,
            fixes=renamed(model, rule, target, hint),
            target=target,
        )


RULE = AgentRule((lint.UNDECLARED_RULE_TARGET,), check)
