"""W130: a path of USING is at, below or above one of NEVER SEND, by whole segments; one finding for each path."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import with_parents
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import SendBan
from agentl.messages import lint_models


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if not model.agent.send_bans:
        return
    at: dict[str, SendBan] = {}
    above: dict[str, SendBan] = {}
    for ban in model.agent.send_bans:
        at.setdefault(ban.path, ban)
        for parent in with_parents(ban.path):
            above.setdefault(parent, ban)
    for statement, symbol in model.oracles:
        for path in statement.using:
            banned = next((at[parent] for parent in with_parents(path) if parent in at), None) or above.get(path)
            if banned is not None:
                yield model.report(
                    lint_models.BANNED_CONTEXT,
                    statement,
                    symbol=symbol,
                    related=(model.related(banned, lint_models.BANNED_HERE),),
                    path=path,
                    ban=banned.path,
                )


RULE = AgentRule((lint_models.BANNED_CONTEXT,), check)
