"""W202, strict profile: what E007, W111 and W112 say of several agents, of one that is alone in its file.

Its messages reach another agent only where a host brings the agents of several files together.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import ProgramModel
from agentl.analysis.retold import retold
from agentl.analysis.rule import ProgramRule
from agentl.analysis.rules.society import undeliverable_message, unhandled_message, unsent_message
from agentl.diagnostics import Diagnostic
from agentl.messages import lint

_SAME_FAULTS = (undeliverable_message, unhandled_message, unsent_message)


def check(program: ProgramModel) -> Iterator[Diagnostic]:
    for rule in _SAME_FAULTS:
        for found in rule.check(program):
            yield retold(found, lint.LONE_AGENT_MESSAGE)


RULE = ProgramRule((lint.LONE_AGENT_MESSAGE,), check, profile="strict", alone=True)
