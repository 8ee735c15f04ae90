"""The facts of tools that a run publishes: `tools.<name>.<fact>` (semantics.md §27)."""

from __future__ import annotations

from typing import NamedTuple

from agentl.analysis.paths import segments

# What a run knows from its start, and what it knows only after the first call (semantics.md §11.4).
AT_START = ("in_doubt",)
AFTER_A_CALL = ("available", "failures")
FACTS = (*AT_START, *AFTER_A_CALL)


class ToolFact(NamedTuple):
    """`fact` is all that stands after the tool's name; it need not be one of FACTS."""

    tool: str
    fact: str


def tool_fact(path: str) -> ToolFact | None:
    """Take a path `tools.<name>.<fact>` apart; None for any other path."""
    parts = segments(path)
    if parts[0] != "tools" or len(parts) < 3:
        return None
    return ToolFact(parts[1], ".".join(parts[2:]))
