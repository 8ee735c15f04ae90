"""Edits that add a rule to the policy of an agent."""

from __future__ import annotations

from typing import NamedTuple

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
    at, before, after = model.derived(_place_of_additions)
    return (Fix(title, (Edit(Span(at, at), f"{before}{rule}{after}"),), safe=safe),)


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


class _Addition(NamedTuple):
    """Where a new rule is written, and what stands before and after it there."""

    at: int
    before: str
    after: str = ""


def _place_of_additions(model: AgentModel) -> _Addition:
    text = model.places.source(model.agent).text
    own = list(own_rules(model))
    if not own:
        end = model.places.whole(model.agent).end - 1
        line = text.rfind("\n", 0, end) + 1
        if text[line:end].strip():
            return _Addition(end, " POLICY { ", " } ")
        return _Addition(line, "    POLICY { ", " }\n")
    last = model.places.whole(own[-1])
    rest = text[last.end : _line_end(text, last.end)].strip()
    if rest and not rest.startswith(_COMMENTS):
        return _Addition(last.end, "  ")
    end = _line_end(text, last.end)
    return _Addition(end, f"\n{_indent(text, last.start)}")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _indent(text: str, at: int) -> str:
    """The blanks a new line needs to stand under the text at a place."""
    start = text.rfind("\n", 0, at) + 1
    return "".join(letter if letter == "\t" else " " for letter in text[start:at])
