"""W111: in a file of two agents or more, a message that is sent and that no agent handles; one for each name."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import ProgramModel
from agentl.analysis.rule import ProgramRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Send
from agentl.messages import lint


def check(program: ProgramModel) -> Iterator[Diagnostic]:
    handled = {handler.message for model in program.agents for handler in model.agent.messages}
    told = set(handled)
    names = Spelling(handled)
    for model in program.agents:
        for statement, symbol in model.sites:
            if isinstance(statement, Send) and statement.message not in told:
                told.add(statement.message)
                hint = names.did_you_mean(statement.message)
                yield model.report(
                    lint.UNHANDLED_MESSAGE, statement, symbol=symbol, hint=hint, message=statement.message
                )


RULE = ProgramRule((lint.UNHANDLED_MESSAGE,), check)
