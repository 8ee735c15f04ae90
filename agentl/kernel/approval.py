"""Which answers of an approver grant (policy.md §5.1)."""

from __future__ import annotations

from agentl.values import Symbol

APPROVAL_WORDS = frozenset(
    {"yes", "y", "true", "ok", "approve", "approved", "oui", "accord", "accepte", "accepté"},
)


def approval_granted(answer: object) -> bool:
    """True only for the boolean True, and for a text or symbol that, trimmed and lower-cased, is a word of the list."""
    if isinstance(answer, Symbol):
        answer = answer.name
    if isinstance(answer, str):
        return answer.strip().lower() in APPROVAL_WORDS
    return answer is True
