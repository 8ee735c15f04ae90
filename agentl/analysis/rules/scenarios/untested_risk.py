"""W124: a risky tool without effects, or none of whose effects any EXPECT { … } of the agent reads.

Assertions such as `EXPECT NEVER CALL t` do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import effect_paths
from agentl.analysis.model import AgentModel
from agentl.analysis.risk import risky_tools
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import scenarios as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for tool in risky_tools(model):
        changed = effect_paths(tool)
        if model.expected.isdisjoint(changed):
            yield model.report(
                messages.UNTESTED_RISK,
                tool,
                symbol=f"tool:{tool.name}",
                hint=None if changed else (messages.NO_EFFECTS, {}),
                tool=tool.name,
                risk=tool.risk,
            )


RULE = AgentRule((messages.UNTESTED_RISK,), check)
