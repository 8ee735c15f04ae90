"""W112: in a file of two agents or more, a message that is handled and that no agent sends; one for each name."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import ProgramModel
from agentl.analysis.rule import ProgramRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Send
from agentl.messages import lint


def check(program: ProgramModel) -> Iterator[Diagnostic]:
    sent = {s.message for model in program.agents for s, _ in model.sites if isinstance(s, Send)}
    told = set(sent)
    names = Spelling(sent)
    for model in program.agents:
        for handler in model.agent.messages:
            if handler.message not in told:
                told.add(handler.message)
                yield model.report(
                    lint.UNSENT_MESSAGE,
                    handler,
                    symbol=f"message:{handler.message}",
                    hint=names.did_you_mean(handler.message),
                    message=handler.message,
                )


RULE = ProgramRule((lint.UNSENT_MESSAGE,), check)
