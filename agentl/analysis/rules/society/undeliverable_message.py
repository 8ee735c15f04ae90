"""E007: in a file of two agents or more, a MESSAGE without BROADCAST whose TO is missing or names no agent.

Agent names are compared without regard to case.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed_after
from agentl.analysis.model import Hint, ProgramModel
from agentl.analysis.rule import ProgramRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Send
from agentl.messages import Phrase, lint


def check(program: ProgramModel) -> Iterator[Diagnostic]:
    names = {model.agent.name.lower(): model.agent.name for model in program.agents}
    spelling = Spelling(names.values())
    for model in program.agents:
        for statement, symbol in model.sites:
            if not isinstance(statement, Send) or statement.broadcast:
                continue
            if statement.to is not None and statement.to.lower() in names:
                continue
            hint = _hint(statement.to, spelling)
            yield model.report(
                lint.UNDELIVERABLE_MESSAGE,
                statement,
                symbol=symbol,
                hint=hint,
                fixes=renamed_after(model, statement, "TO", hint),
                message=statement.message,
                to=Phrase(lint.MESSAGE_TO_NOBODY) if statement.to is None else statement.to,
            )


def _hint(to: str | None, spelling: Spelling) -> Hint:
    return (spelling.did_you_mean(to) if to is not None else None) or (lint.ADD_ADDRESSEE, {})


RULE = ProgramRule((lint.UNDELIVERABLE_MESSAGE,), check)
