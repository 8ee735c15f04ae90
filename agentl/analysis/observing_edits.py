"""Edits that add to what an agent observes."""

from __future__ import annotations

from collections.abc import Sequence

from agentl.analysis.additions import Addition, place_of_additions
from agentl.analysis.edits import end_before
from agentl.analysis.model import AgentModel
from agentl.analysis.own import is_own
from agentl.diagnostics import Fix
from agentl.ir.declarations import Observer
from agentl.ir.node import Node
from agentl.messages import Phrase, lint_knowledge


def observed(model: AgentModel, node: Node, paths: Sequence[str]) -> tuple[Fix, ...]:
    """Return the fix that adds paths to OBSERVE, for a finding at a node. None where the node is of a module.

    It is never safe: the host must have a sensor for each.
    """
    if not is_own(model, node):
        return ()
    edit = model.derived(_place_of_observers).of("  ".join(paths))
    return (Fix(Phrase(lint_knowledge.OBSERVE_TOO, paths=", ".join(paths)), (edit,), safe=False),)


def is_listed(model: AgentModel, observer: Observer) -> bool:
    """True for an observer in braces; one without may not be followed by another, nor be taken away alone."""
    text = model.places.source(observer).text
    return not text.endswith("OBSERVE", 0, end_before(text, model.places.whole(observer).start))


def _place_of_observers(model: AgentModel) -> Addition:
    own = [observer for observer in model.agent.observers if is_own(model, observer) and is_listed(model, observer)]
    return place_of_additions(model, "OBSERVE", own[-1] if own else None)
