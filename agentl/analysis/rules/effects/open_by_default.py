"""W247: a tool of risk HIGH or above under DEFAULT ALLOW, whose rules are all ALLOW, or wait for a call in doubt.

Without DEFAULT it is ALLOW. An ALLOW with a guard does close the tool, and so does any other closed rule. A tool that
no rule is about is W101.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import is_closed
from agentl.analysis.guards import Targets
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.analysis.unprotected import report_unprotected
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Rule
from agentl.messages import Phrase, lint_effects

RISKS = frozenset({"HIGH", "SEVERE", "CRITICAL"})
_WORDS = frozenset({"yes", "no", "true", "false"})


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if model.agent.policy_default == "DENY":
        return
    rules = model.agent.rules
    governed, closed = Targets(rules), Targets(rule for rule in rules if _closes(rule))
    allowed = Targets(rule for rule in rules if not is_closed(rule))
    risky = [tool for tool in model.agent.tools if tool.risk in RISKS]
    open_tools = [tool for tool in risky if tool.name in governed and tool.name not in closed]
    for is_allowed, what in ((True, lint_effects.ONLY_ALLOWED), (False, lint_effects.ONLY_DOUBT)):
        alike = (tool for tool in open_tools if (tool.name in allowed) is is_allowed)
        yield from report_unprotected(model, lint_effects.OPEN_BY_DEFAULT, alike, what=Phrase(what))


def _closes(rule: Rule) -> bool:
    """True for a rule that refuses, or asks about, some call that is not in doubt."""
    if rule.guard is None:
        return is_closed(rule)
    read = [path for path in paths(rule.guard) if path not in _WORDS]
    return not read or not all(path.endswith(".in_doubt") for path in read)


RULE = AgentRule((lint_effects.OPEN_BY_DEFAULT,), check)
