"""W242: the guard of a policy rule can never be false, from what it says and from declared types, ranges and risks.

Rules that a module brings are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.conditions import Conditions
from agentl.analysis.facts import is_closed
from agentl.analysis.model import AgentModel
from agentl.analysis.own import own_rules
from agentl.analysis.policy_edits import unguarded
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import Phrase, lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for rule in own_rules(model):
        if rule.guard is None or model.derived(Conditions).can_be(rule, truth=False):
            continue
        closed = is_closed(rule)
        yield model.report(
            lint_effects.CONSTANT_GUARD,
            rule,
            symbol=f"rule:{rule.target}",
            fixes=unguarded(model, rule, Phrase(lint_effects.REMOVE_GUARD), safe=closed),
            target=rule.target,
            consequence=Phrase(lint_effects.APPLIES_ALWAYS if closed else lint_effects.ALLOWS_WHAT_IS_KNOWN),
        )


RULE = AgentRule((lint_effects.CONSTANT_GUARD,), check)
