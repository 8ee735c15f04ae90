"""Screening: a condition that holds only when a check found nothing wrong (diagnostics.md §5.2)."""

from __future__ import annotations

from agentl.analysis.paths import path_text
from agentl.ir.expressions import And, Comparison, Expression, Not, Or, Path

_YES, _NO = frozenset({"true", "yes"}), frozenset({"false", "no"})


def screens(condition: Expression, holds: bool) -> bool:
    """True when the condition being true (`holds`), or being false, says that a check found nothing wrong.

    A check is known by its name: one of `injection` or `untrusted` must be no, else one of `trusted` or `attested` yes.
    `flag != yes` never screens, since a flag that nobody has set satisfies it.
    """
    if isinstance(condition, Not):
        return screens(condition.operand, not holds)
    if isinstance(condition, And | Or):
        enough = any if isinstance(condition, And) is holds else all
        return enough(screens(item, holds) for item in condition.items)
    if not isinstance(condition, Comparison) or condition.op != ("==" if holds else "!="):
        return False
    sides = ((condition.left, condition.right), (condition.right, condition.left))
    return any(_is_check(path, word) for path, word in sides)


def _is_check(path: Expression, word: Expression) -> bool:
    name = (path_text(path) or "").lower()
    said = word.path.lower() if isinstance(word, Path) else ""
    if "injection" in name or "untrusted" in name:
        return said in _NO
    return ("trusted" in name or "attested" in name) and said in _YES
