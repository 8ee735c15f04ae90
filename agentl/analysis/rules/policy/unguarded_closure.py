"""W123: a tool has an effect on what the agent's LOOP UNTIL waits for, and no ALLOW on it reads the observed backlog.

A backlog is an observed path with `unresolved`, `pending` or `remaining` in it. Without any ALLOW the finding is there
too. In the strict profile a closed rule that reads the backlog is as good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentl.analysis.facts import effect_paths
from agentl.analysis.guards import Targets
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Rule
from agentl.messages import lint_policy

BACKLOG = ("unresolved", "pending", "remaining")


def check(model: AgentModel) -> Iterator[Diagnostic]:
    cycle = model.agent.loop
    backlog = sorted(path for path in model.observed if any(word in path for word in BACKLOG))
    if cycle is None or not backlog:
        return
    guarded = Targets(rule for rule in model.agent.rules if _reads(rule, backlog, model))
    awaited = frozenset(paths(cycle.until))
    for tool in model.agent.tools:
        if tool.name not in guarded and not awaited.isdisjoint(effect_paths(tool)):
            symbol = f"tool:{tool.name}"
            yield model.report(lint_policy.UNGUARDED_CLOSURE, tool, symbol=symbol, tool=tool.name, backlog=backlog[0])


def _reads(rule: Rule, backlog: Iterable[str], model: AgentModel) -> bool:
    counts = rule.effect == "ALLOW" or model.profile == "strict"
    return counts and not frozenset(paths(rule.guard)).isdisjoint(backlog)


RULE = AgentRule((lint_policy.UNGUARDED_CLOSURE,), check)
