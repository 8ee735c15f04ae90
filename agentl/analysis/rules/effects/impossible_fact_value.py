"""W246: `in_doubt` or `available` of a tool is compared with something that is neither true nor false.

Equality knows `true`, `false`, `yes`, `no`, 1 and 0. Texts are never equal to a boolean, IN takes no word for one, and
no word but a number is ordered (semantics.md §5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agentl.analysis.facts import is_closed
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_text
from agentl.analysis.rule import AgentRule
from agentl.analysis.searched import Searched
from agentl.analysis.tool_facts import tool_fact
from agentl.diagnostics import Diagnostic, Edit, Fix
from agentl.ir.declarations import Rule
from agentl.ir.expressions import Comparison, Datetime, Expression, ListLiteral, Number, Path, Text
from agentl.ir.walk import walk
from agentl.messages import Phrase, lint, lint_effects

FACTS = ("in_doubt", "available")
_MEANT = {"true": "true", "yes": "true", "false": "false", "no": "false"}


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for place in model.searched:
        for _, node in walk(place.expression):
            found = _impossible(node) if isinstance(node, Comparison) else None
            if found is None:
                continue
            path, value, comparison = found
            yield model.report(
                lint_effects.IMPOSSIBLE_FACT_VALUE,
                comparison,
                symbol=place.symbol,
                fixes=_fixes(model, place, found),
                path=path,
                value=model.places.text(value),
            )


class _Found(NamedTuple):
    path: str
    value: Expression
    comparison: Comparison


def _impossible(comparison: Comparison) -> _Found | None:
    """The fact and what it is compared with, when no value of the fact can be meant."""
    for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        path = path_text(side) or ""
        read = tool_fact(path)
        is_fact = path == "action.in_doubt" or (read is not None and read.fact in FACTS)
        if is_fact and _never_meant(comparison.op, other):
            return _Found(path, other, comparison)
    return None


def _never_meant(op: str, other: Expression) -> bool:
    match other:
        case Text() | Datetime():
            return True
        case Number():
            return op in ("==", "!=") and other.value not in (0, 1)
        case Path() if other.is_bare:
            return op not in ("==", "!=") or other.path.lower() not in _MEANT
        case ListLiteral():
            return all(_never_meant("IN", item) for item in other.items)
    return False


def _fixes(model: AgentModel, place: Searched, found: _Found) -> tuple[Fix, ...]:
    """A text or list that names one boolean means it. Only a rule that never applied is safe to mend."""
    path, value, comparison = found
    items = value.items if isinstance(value, ListLiteral) else (value,)
    words = {_MEANT.get(_word(item).lower()) for item in items}
    meant = words.pop() if len(words) == 1 else None
    if meant is None or comparison.op not in ("==", "!=", "IN"):
        return ()
    op = "==" if comparison.op == "IN" else comparison.op
    edit = Edit(model.places.whole(comparison), f"{path} {op} {meant}")
    rule = place.owner
    safe = isinstance(rule, Rule) and is_closed(rule) and rule.guard is comparison and comparison.op == "=="
    return (Fix(Phrase(lint.WRITE_INSTEAD, name=edit.text), (edit,), safe),)


def _word(expression: Expression) -> str:
    return expression.value if isinstance(expression, Text) else path_text(expression) or ""


RULE = AgentRule((lint_effects.IMPOSSIBLE_FACT_VALUE,), check)
