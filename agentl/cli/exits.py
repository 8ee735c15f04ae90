"""Exit codes: the one table of decision 31, and which error leads to which."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from agentl.diagnostics import AgentLError, ParseError


class Exit(IntEnum):
    """What the process tells the shell. `STOPPED` covers waiting for a person and ending in doubt."""

    DONE = 0
    PROGRAM = 1
    COMMAND = 2
    REFUSED = 3
    OWNED = 4
    STORAGE = 5
    INTERNAL = 70
    STOPPED = 75
    INTERRUPTED = 130
    TERMINATED = 143


# When several hold at once, the first of these wins (decision 31).
_ORDER = (
    Exit.INTERNAL,
    Exit.STORAGE,
    Exit.OWNED,
    Exit.REFUSED,
    Exit.COMMAND,
    Exit.PROGRAM,
    Exit.STOPPED,
    Exit.DONE,
)


class CommandError(AgentLError):
    """Something is wrong in the command: an option, a path, a combination. Ends with 2."""

    exit_code = Exit.COMMAND


def exit_code_of(error: AgentLError) -> int:
    """Return the code an error ends with: its class's `exit_code`, else 1 for a program text, else 2."""
    declared = getattr(error, "exit_code", None)
    if isinstance(declared, int):
        return int(declared)
    return Exit.PROGRAM if isinstance(error, ParseError) else Exit.COMMAND


def worst(codes: Iterable[int]) -> int:
    """Return the code that wins when several parts of one command ended differently; 0 for none.

    A code outside the table (130, 143) ends a command at once, so it wins over all.
    """
    seen = set(codes)
    for code in seen:
        if code not in _ORDER:
            return code
    return next((int(code) for code in _ORDER if code in seen), int(Exit.DONE))
