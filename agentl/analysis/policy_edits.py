"""Edits that add a rule to the policy of an agent."""

from __future__ import annotations

from agentl.analysis.model import AgentModel
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir.declarations import Tool
from agentl.messages import Phrase, lint_policy

_COMMENTS = ("//", "#")


def require_approval(model: AgentModel, tool: Tool) -> tuple[Fix, ...]:
    """Return the fix that adds REQUIRE APPROVAL FOR the tool: it only restricts. None for a tool of a module."""
    return added_rule(
        model, tool, f"REQUIRE APPROVAL FOR {tool.name}", Phrase(lint_policy.REQUIRE_APPROVAL, tool=tool.name)
    )


def added_rule(model: AgentModel, tool: Tool, rule: str, title: Phrase, *, safe: bool = True) -> tuple[Fix, ...]:
    """Return the fix that adds a rule on a tool: after the agent's last own rule, else in a POLICY block of its own."""
    if model.places.source(tool) is not model.places.source(model.agent):
        return ()
    return (Fix(title, (_addition(model, rule),), safe=safe),)


def _addition(model: AgentModel, rule: str) -> Edit:
    source = model.places.source(model.agent)
    text = source.text
    own = [each for each in model.agent.rules if model.places.source(each) is source]
    if not own:
        end = model.places.whole(model.agent).end - 1
        line = text.rfind("\n", 0, end) + 1
        if text[line:end].strip():
            return Edit(Span(end, end), f" POLICY {{ {rule} }} ")
        return Edit(Span(line, line), f"    POLICY {{ {rule} }}\n")
    last = model.places.whole(own[-1])
    rest = text[last.end : _line_end(text, last.end)].strip()
    if rest and not rest.startswith(_COMMENTS):
        return Edit(Span(last.end, last.end), f"  {rule}")
    end = _line_end(text, last.end)
    return Edit(Span(end, end), f"\n{_indent(text, last.start)}{rule}")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _indent(text: str, at: int) -> str:
    """The blanks a new line needs to stand under the text at a place."""
    start = text.rfind("\n", 0, at) + 1
    return "".join(letter if letter == "\t" else " " for letter in text[start:at])
