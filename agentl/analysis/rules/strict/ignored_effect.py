"""W210, strict profile: a tool with both EFFECT and OUTCOME, whose EFFECT is ignored (diagnostics.md §1.3)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for tool in model.agent.tools:
        if tool.effects and tool.outcomes:
            ignored = ", ".join(dict.fromkeys(effect.path for effect in tool.effects))
            yield model.report(
                lint.IGNORED_EFFECT, tool.effects[0], symbol=f"tool:{tool.name}", tool=tool.name, paths=ignored
            )


RULE = AgentRule((lint.IGNORED_EFFECT,), check, profile="strict")
