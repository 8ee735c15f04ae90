"""EvalError: an expression has no value. Its text is for traces: one fixed English form."""

from __future__ import annotations

from agentl.diagnostics import AgentLError


class EvalError(AgentLError):
    """Arithmetic on something that is no number, an unknown function, a misused one (semantics.md §4).

    It never stops a tick: the caller counts the condition as false and traces the text. The text names kinds of
    values, never a value, so it can hold nothing secret.
    """


class Unknown(EvalError):
    """What is asked about is not known: raised only where knowing it decides between unknown and a verdict."""
