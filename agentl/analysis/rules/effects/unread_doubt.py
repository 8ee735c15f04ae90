"""W240: a tool acts, its host promises neither a key nor a look-up, and nothing in the agent reads its doubt.

Read is `tools.<tool>.in_doubt` or `last_action.in_doubt` anywhere, or `action.in_doubt` in a rule on the tool or `*`.
The host is the Python file beside the program. Without one nothing is known of its promises: the strict profile then
speaks of tools with a SIDE_EFFECT or of risk HIGH and CRITICAL.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.called import called
from agentl.analysis.facts import acts, all_effects
from agentl.analysis.guards import Targets
from agentl.analysis.model import AgentModel
from agentl.analysis.policy_edits import added_rule
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Tool
from agentl.messages import Phrase, lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    names = called(model)
    tools = [tool for tool in model.agent.tools if _acts(tool) and tool.name in names]
    if "last_action.in_doubt" in model.referenced:
        return
    unpromised = None if model.host is None else model.host.unpromised
    asked = Targets(rule for rule, read in model.guards.reads if "action.in_doubt" in read)
    for tool in tools:
        if tool.name not in unpromised if unpromised is not None else model.profile != "strict" or not acts(tool):
            continue
        if f"tools.{tool.name}.in_doubt" in model.referenced or tool.name in asked:
            continue
        problem = lint_effects.ACTS if unpromised is None else lint_effects.HOST_PROMISES_NOTHING
        title = Phrase(lint_effects.NEVER_IN_DOUBT, tool=tool.name)
        rule = f"NEVER {tool.name} WHEN tools.{tool.name}.in_doubt == true"
        yield model.report(
            lint_effects.UNREAD_DOUBT,
            tool,
            symbol=f"tool:{tool.name}",
            fixes=added_rule(model, tool, rule, title),
            tool=tool.name,
            problem=Phrase(problem),
        )


def _acts(tool: Tool) -> bool:
    return acts(tool) or any(not effect.internal for effect in all_effects(tool))


RULE = AgentRule((lint_effects.UNREAD_DOUBT,), check)
