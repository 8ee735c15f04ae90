"""Tools whose outcomes have probabilities that do not sum to 1 (W113, W203)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.diagnostics import Diagnostic, Edit, Fix
from agentl.ir.declarations import Tool
from agentl.messages import Message, Phrase, lint_planner

TOLERANCE = 1e-6
_DIGITS = 9


def unbalanced(model: AgentModel, message: Message) -> Iterator[Diagnostic]:
    """Report each such tool; an OUTCOME without WITH counts as 1."""
    for tool in model.agent.tools:
        total = sum(1.0 if o.probability is None else float(o.probability.value) for o in tool.outcomes)
        if tool.outcomes and abs(total - 1) > TOLERANCE:
            symbol, fixes = f"tool:{tool.name}", _rescaled(model, tool, total)
            yield model.report(message, tool, symbol=symbol, fixes=fixes, tool=tool.name, total=f"{total:g}")


def _rescaled(model: AgentModel, tool: Tool, total: float) -> tuple[Fix, ...]:
    written = [outcome.probability for outcome in tool.outcomes if outcome.probability is not None]
    if len(written) < len(tool.outcomes) or total <= 0:
        return ()
    edits = tuple(
        Edit(model.places.whole(number), str(round(float(number.value) / total, _DIGITS))) for number in written
    )
    return (Fix(Phrase(lint_planner.RESCALE, total=f"{total:g}"), edits, safe=False),)
