"""Edits of MEMORY."""

from __future__ import annotations

from itertools import pairwise

from agentl.analysis.additions import Addition
from agentl.analysis.edits import tokens
from agentl.analysis.model import AgentModel
from agentl.diagnostics import Fix
from agentl.messages import Phrase, lint


def listed_in_shared(model: AgentModel, key: str) -> tuple[Fix, ...]:
    """Return the fix that adds a key to the list in braces after SHARED, else writes that list at the start of MEMORY.

    None where SHARED names a key without braces.
    """
    place = model.derived(_place_of_keys)
    return () if place is None else (Fix(Phrase(lint.LIST_SHARED_KEY, key=key), (place.of(key),), safe=True),)


def _place_of_keys(model: AgentModel) -> Addition | None:
    memory = model.agent.memory
    if memory is None:
        return None
    for shared, after in pairwise(tokens(model, memory)):
        if shared.text == "SHARED" and after.text == "{":
            return Addition(after.end, " ", "," if memory.shared else "")
    if memory.shared:
        return None
    opening = next(token for token in tokens(model, memory) if token.text == "{")
    return Addition(opening.end, " SHARED { ", " }")
