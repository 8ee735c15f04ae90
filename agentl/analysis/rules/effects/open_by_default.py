"""W247: a tool of risk HIGH or above under DEFAULT ALLOW, whose rules are all ALLOW, or wait for a call in doubt.

Without DEFAULT it is ALLOW. An ALLOW with a guard does close the tool, and so does any other closed rule. A tool that
no rule is about is W101.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import is_closed
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.policy_edits import require_approval
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Rule
from agentl.messages import Phrase, lint_effects

RISKS = frozenset({"HIGH", "SEVERE", "CRITICAL"})
_WORDS = frozenset({"yes", "no", "true", "false"})


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.policy_default == "DENY":
        return
    for tool in model.agent.tools:
        rules = tuple(model.guards.concerning(tool.name)) if tool.risk in RISKS else ()
        if not rules or any(_closes(rule) for rule in rules):
            continue
        allowed = any(not is_closed(rule) for rule in rules)
        yield model.report(
            lint_effects.OPEN_BY_DEFAULT,
            tool,
            symbol=f"tool:{tool.name}",
            fixes=require_approval(model, tool),
            tool=tool.name,
            risk=tool.risk,
            what=Phrase(lint_effects.ONLY_ALLOWED if allowed else lint_effects.ONLY_DOUBT),
        )


def _closes(rule: Rule) -> bool:
    """True for a rule that refuses, or asks about, some call that is not in doubt."""
    if rule.guard is None:
        return is_closed(rule)
    read = [path for path in paths(rule.guard) if path not in _WORDS]
    return not read or not all(path.endswith(".in_doubt") for path in read)


RULE = AgentRule((lint_effects.OPEN_BY_DEFAULT,), check)
