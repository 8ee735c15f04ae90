"""Retold: what one rule finds, said by another where the first does not look."""

from __future__ import annotations

from dataclasses import replace

from agentl.diagnostics import Diagnostic
from agentl.messages import Message, Phrase


def retold(found: Diagnostic, message: Message) -> Diagnostic:
    """Return a finding as a warning under another message, whose `problem` is what it said; its help stays."""
    return replace(
        found,
        definition=message,
        arguments={"agent": found.agent, "problem": Phrase(found.definition, **found.arguments)},
        severity="warning",
        hint=found.hint or found.definition.help,
        hint_arguments=found.hint_arguments or found.arguments,
    )
