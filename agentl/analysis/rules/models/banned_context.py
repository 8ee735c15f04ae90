"""W130: a path of USING is at, below or above one of NEVER SEND, by whole segments; one finding for each path."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_models


def check(model: AgentModel) -> Iterator[Diagnostic]:
    if not model.agent.send_bans:
        return
    # WHY: a program without NEVER SEND does not pay for it.
    from agentl.analysis.bans import Bans
    from agentl.analysis.using_edits import visible_parts_instead

    bans = model.derived(Bans)
    for statement, symbol in model.oracles:
        for path in statement.using:
            banned = bans.touching(path)
            if banned is not None:
                yield model.report(
                    lint_models.BANNED_CONTEXT,
                    statement,
                    symbol=symbol,
                    related=(model.related(banned, lint_models.BANNED_HERE),),
                    fixes=visible_parts_instead(model, statement, path),
                    path=path,
                    ban=banned.path,
                )


RULE = AgentRule((lint_models.BANNED_CONTEXT,), check)
