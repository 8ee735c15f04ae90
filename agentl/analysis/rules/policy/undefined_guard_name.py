"""W128: the guard of a closed rule compares, on the left, a name of one segment that nothing defines.

Such a name is the word itself, so that the rule compares two words and mostly never applies. One finding for each
comparison. A comparison whose other side is a path or a name that is defined is left alone: there the word is meant
(AGENT-L 1.10 reports it).
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.facts import is_closed
from agentl.analysis.guard_names import guard_names
from agentl.analysis.guards import comparisons
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_text
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic, Edit, Fix
from agentl.ir.expressions import Comparison, Expression, Path
from agentl.messages import Phrase, lint, lint_policy

SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def check(model: AgentModel) -> Iterator[Diagnostic]:
    defined = guard_names(model)
    names = Spelling(defined | model.observed)
    for rule in model.agent.rules:
        if rule.guard is None or not is_closed(rule):
            continue
        for comparison in comparisons(rule.guard):
            left = comparison.left
            if not isinstance(left, Path) or not left.is_bare:
                continue
            is_reversed = _is_defined(comparison.right, defined)
            if left.path in defined or (is_reversed and model.profile != "compat"):
                continue
            hint = names.did_you_mean(left.path)
            yield model.report_within(
                lint_policy.UNDEFINED_GUARD_NAME,
                rule,
                left,
                left.path,
                symbol=f"rule:{rule.target}",
                hint=hint,
                fixes=_swapped(model, comparison) if is_reversed else renamed(model, left, left.path, hint),
                name=left.path,
                target=rule.target,
            )


def _swapped(model: AgentModel, comparison: Comparison) -> tuple[Fix, ...]:
    left, right = model.places.text(comparison.left), model.places.text(comparison.right)
    edit = Edit(model.places.whole(comparison), f"{right} {SWAPPED.get(comparison.op, comparison.op)} {left}")
    return (Fix(Phrase(lint.WRITE_INSTEAD, name=edit.text), (edit,), safe=True),)


def _is_defined(side: Expression, defined: frozenset[str]) -> bool:
    path = path_text(side)
    return path is not None and ("." in path or path in defined)


RULE = AgentRule((lint_policy.UNDEFINED_GUARD_NAME,), check)
