"""Edits of MEMORY."""

from __future__ import annotations

from itertools import pairwise

from agentl.analysis.edits import tokens
from agentl.analysis.model import AgentModel
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir.declarations import Memory
from agentl.messages import Phrase, lint


def listed_in_shared(model: AgentModel, memory: Memory, key: str) -> tuple[Fix, ...]:
    """Return the fix that adds a key to the list in braces after SHARED, else writes that list at the start of MEMORY.

    None where SHARED names a key without braces.
    """
    for shared, after in pairwise(tokens(model, memory)):
        if shared.text == "SHARED" and after.text == "{":
            edit = Edit(Span(after.end, after.end), f" {key}," if memory.shared else f" {key}")
            break
    else:
        if memory.shared:
            return ()
        opening = next(token for token in tokens(model, memory) if token.text == "{")
        edit = Edit(Span(opening.end, opening.end), f" SHARED {{ {key} }}")
    return (Fix(Phrase(lint.LIST_SHARED_KEY, key=key), (edit,), safe=True),)
