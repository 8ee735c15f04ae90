"""W223, strict profile: what E009, E015, E016 and E201 say, in the expressions where those do not look.

AGENT-L 1.10 accepts such a program, and it fails at run time: an effect value after its action, a REQUIRES before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.retold import retold
from agentl.analysis.rule import AgentRule
from agentl.analysis.rules.expressions import (
    misused_provenance,
    named_argument_to_function,
    tool_in_expression,
    unknown_function,
)
from agentl.analysis.searched import unsearched_expressions
from agentl.diagnostics import Diagnostic
from agentl.messages import lint

_SAME_FAULTS = (tool_in_expression, unknown_function, misused_provenance, named_argument_to_function)


def check(model: AgentModel) -> Iterator[Diagnostic]:
    elsewhere = model.looking_at(unsearched_expressions(model.agent, model.sites))
    for rule in _SAME_FAULTS:
        for found in rule.check(elsewhere):
            yield retold(found, lint.FAILING_CALL)


RULE = AgentRule((lint.FAILING_CALL,), check, profile="strict")
