"""O112: a plan calls a tool that the manifest has no effect contract for.

Where no manifest is known, as in an editor, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import sequences
from agentl.diagnostics import Diagnostic
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    contracts = model.at_hand.contracts
    if contracts is None:
        return
    for plan in sequences(model):
        for call in plan.calls:
            if f"tool:{model.agent.name}/{call.tool}" not in contracts:
                yield model.report(messages.NO_CONTRACT, call, symbol=plan.symbol, tool=call.tool)


RULE = AgentRule((messages.NO_CONTRACT,), check, profile="sequential")
