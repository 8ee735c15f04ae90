"""Edits that add a rule to the policy of an agent."""

from __future__ import annotations

from agentl.analysis.additions import Addition, place_of_additions
from agentl.analysis.model import AgentModel
from agentl.analysis.own import is_own, own_rules
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir.declarations import Rule, Tool
from agentl.messages import Phrase, lint_policy

_COMMENTS = ("//", "#")


def require_approval(model: AgentModel, tool: Tool) -> tuple[Fix, ...]:
    """Return the fix that adds REQUIRE APPROVAL FOR the tool: it only restricts. None for a tool of a module."""
    return added_rule(
        model, tool, f"REQUIRE APPROVAL FOR {tool.name}", Phrase(lint_policy.REQUIRE_APPROVAL, tool=tool.name)
    )


def added_rule(model: AgentModel, tool: Tool, rule: str, title: Phrase, *, safe: bool = True) -> tuple[Fix, ...]:
    """Return the fix that adds a rule on a tool: after the agent's last own rule, else in a POLICY block of its own."""
    if not is_own(model, tool):
        return ()
    return (Fix(title, (model.derived(_place_of_rules).of(rule),), safe=safe),)


def unguarded(model: AgentModel, rule: Rule, title: Phrase, *, safe: bool) -> tuple[Fix, ...]:
    """Return the fix that cuts the guard off a rule. None when a comment would go with it."""
    place, text = model.places.whole(rule), model.places.source(rule).text
    target = text.find(rule.target, place.start, place.end)
    for word in rule.effect.split("_"):
        target = text.find(rule.target, text.find(word, place.start) + len(word))
    cut = Span(target + len(rule.target), place.end)
    if any(comment in text[cut.start : cut.end] for comment in _COMMENTS):
        return ()
    return (Fix(title, (Edit(cut, ""),), safe),)


def _place_of_rules(model: AgentModel) -> Addition:
    own = list(own_rules(model))
    return place_of_additions(model, "POLICY", own[-1] if own else None)
