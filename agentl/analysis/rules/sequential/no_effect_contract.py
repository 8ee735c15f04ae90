"""O112: a plan calls a tool that the manifest has no effect contract for.

Where no manifest is known, as in an editor, nothing is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.rule import AgentRule
from agentl.analysis.sequences import sequences
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    contracts = model.at_hand.contracts
    if contracts is None:
        return
    meant = _Meant(f"tool:{model.agent.name}/", contracts)
    for plan in sequences(model):
        for call in plan.calls:
            if meant.prefix + call.tool not in contracts:
                hint = meant.hint(call.tool)
                yield model.report(messages.NO_CONTRACT, call, symbol=plan.symbol, hint=hint, tool=call.tool)


class _Meant:
    """What the manifest binds that may have been meant: a like name of this agent, the same one of another."""

    def __init__(self, prefix: str, contracts: Collection[str]) -> None:
        self.prefix = prefix
        self._own = Spelling([name.rpartition("/")[2] for name in contracts if name.startswith(prefix)])
        self._elsewhere = {name.rpartition("/")[2]: name for name in sorted(contracts, reverse=True)}

    def hint(self, tool: str) -> Hint | None:
        near = self._own.closest(tool)
        bound = self._elsewhere.get(tool) if near is None else self.prefix + near
        return None if bound is None else (messages.BOUND_INSTEAD, {"bound": bound, "name": self.prefix + tool})


RULE = AgentRule((messages.NO_CONTRACT,), check, profile="sequential")
