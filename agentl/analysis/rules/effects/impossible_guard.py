"""W241: the guard of a policy rule can never be true, from what it says and from declared types, ranges and risks.

A closed rule with such a guard applies only while something in it is unknown. Rules that a module brings are left
alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.conditions import Conditions
from agentl.analysis.facts import is_closed
from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.own import own_rules
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Rule
from agentl.messages import Phrase, lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for rule in own_rules(model):
        if model.derived(Conditions).can_be(rule, truth=True):
            continue
        closed = is_closed(rule)
        yield model.report(
            lint_effects.IMPOSSIBLE_GUARD,
            rule,
            symbol=f"rule:{rule.target}",
            hint=_hint(model, rule),
            target=rule.target,
            consequence=Phrase(lint_effects.FORBIDS_THE_UNKNOWN_ONLY if closed else lint_effects.ALLOWS_NOTHING),
        )


def _hint(model: AgentModel, rule: Rule) -> Hint | None:
    """A word that is none of those its subject can hold was meant to be one of them."""
    hints = (Spelling(others).did_you_mean(word) for word, others in model.derived(Conditions).strangers(rule))
    return next((hint for hint in hints if hint is not None), None)


RULE = AgentRule((lint_effects.IMPOSSIBLE_GUARD,), check)
